import { expect, it } from 'vitest'
import { instantOf } from '../../office/actions/ValueDialog.tsx'
import { articleFile } from '../../office/pages/content/articleFile.ts'

it('an hour is one by the clocks of the venue, also over a clock change', () => {
  expect(instantOf('2026-11-24T09:30', 'Asia/Shanghai')).toBe(Date.UTC(2026, 10, 24, 1, 30))
  expect(instantOf('2026-03-29T02:30', 'Europe/Berlin')).toBe(Date.UTC(2026, 2, 29, 1))
})

it("an article's file has one line for its title, and its id if it replaces one", () => {
  const text = { language: 'en' as const, title: ' A\nlong  title ', body: 'Text' }
  expect(articleFile({ ...text, id: undefined })).toBe('---\nlang: en\ntitle: A long title\n---\nText\n')
  expect(articleFile({ ...text, id: 'n1' })).toBe('---\nid: n1\nlang: en\ntitle: A long title\n---\nText\n')
})
