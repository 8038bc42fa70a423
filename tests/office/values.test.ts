import { expect, it } from 'vitest'
import { ageText } from '../../office/data/age.ts'
import { instantOf } from '../../office/actions/ValueDialog.tsx'
import { articleFile } from '../../office/pages/content/articleFile.ts'

const t = (key: string, values: Record<string, unknown> = {}): string =>
  `${key} ${Object.values(values).join(' ')}`

it.each([
  [0, 'age.minutes 0'],
  [59 * 60_000 + 59_999, 'age.minutes 59'],
  [3_600_000, 'age.hours 1 00'],
  [2 * 3_600_000 + 5 * 60_000, 'age.hours 2 05'],
  [26 * 3_600_000, 'age.days 1 2'],
  [-5000, 'age.minutes 0'],
])('an age of %d ms is in its two largest units', (ms, text) => {
  expect(ageText(t, ms)).toBe(text)
})

it('an hour is one by the clocks of the venue, also over a clock change', () => {
  expect(instantOf('2026-11-24T09:30', 'Asia/Shanghai')).toBe(Date.UTC(2026, 10, 24, 1, 30))
  expect(instantOf('2026-03-29T02:30', 'Europe/Berlin')).toBe(Date.UTC(2026, 2, 29, 1))
})

it("an article's file has one line for its title, and its id if it replaces one", () => {
  const text = { language: 'en' as const, title: ' A\nlong  title ', body: 'Text' }
  expect(articleFile({ ...text, id: undefined })).toBe('---\nlang: en\ntitle: A long title\n---\nText\n')
  expect(articleFile({ ...text, id: 'n1' })).toBe('---\nid: n1\nlang: en\ntitle: A long title\n---\nText\n')
})
