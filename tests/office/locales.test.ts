import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { languages } from '../../contract/constants.ts'
import {
  codeIn,
  differingPlaceholders,
  pluralCategories,
  pluralForms,
  readPack,
  stemsOf,
  unusedKeys,
} from '../support/textPack.ts'

const office = join(import.meta.dirname, '../../office')

describe("the office's packs", () => {
  const source = readPack(join(office, 'locales/zh-CN.json'))
  const en = readPack(join(office, 'locales/en.json'))

  it('have the same keys, placeholders and plural forms', () => {
    expect([...stemsOf(en)].toSorted()).toEqual([...stemsOf(source)].toSorted())
    expect(differingPlaceholders(en, source)).toEqual([])
    for (const [key, forms] of pluralForms(en))
      expect([key, forms.toSorted()]).toEqual([key, pluralCategories('en')])
    for (const [key, forms] of pluralForms(source)) expect([key, forms]).toEqual([key, ['other']])
  })

  it('have no empty text and no straight quotes', () => {
    const wrong = [...source, ...en].filter(([, text]) => text.trim() === '' || /["']/.test(text))
    expect(wrong.map(([key]) => key)).toEqual([])
  })

  it('have only keys that the code uses', () => {
    expect(unusedKeys(stemsOf(source), codeIn(office))).toEqual([])
  })
})

describe('the sentences for members', () => {
  const source = readPack(join(office, 'canned/zh-CN.json'))
  /** The longest reason that the venue takes. */
  const reasonMax = 300

  it.each(languages)('are complete in %s', (language) => {
    const pack = readPack(join(office, `canned/${language}.json`))
    expect([...pack.keys()]).toEqual([...source.keys()])
    const wrong = [...pack].filter(
      ([key, text]) =>
        text.trim() === '' ||
        /["']/.test(text) ||
        text !== text.normalize('NFC') ||
        (key.startsWith('reasons.') && text.length > reasonMax),
    )
    expect(wrong.map(([key]) => key)).toEqual([])
  })

  it.each(languages)('fit in one reason, any two of them, in %s', (language) => {
    const pack = readPack(join(office, `canned/${language}.json`))
    const lengths = new Map<string, number[]>()
    for (const [key, text] of pack) {
      const [kind, topic = ''] = key.split('.')
      if (kind === 'reasons') lengths.set(topic, [...(lengths.get(topic) ?? []), text.length])
    }
    const longest = [...lengths.values()].map((all) => all.toSorted((a, b) => b - a).slice(0, 2))
    for (const [first = 0, second = 0] of longest) expect(first + 1 + second).toBeLessThanOrEqual(reasonMax)
  })
})
