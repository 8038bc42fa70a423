import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { languages } from '../../contract/constants.ts'
import { errorCodes, fieldCodes } from '../../contract/errors.ts'

const root = join(import.meta.dirname, '../..')
type Tree = { [key: string]: string | Tree }
const plural = /_(zero|one|two|few|many|other)$/

function flatten(tree: Tree, prefix = ''): [key: string, text: string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value]] : flatten(value, `${prefix}${key}.`),
  )
}
const read = (language: string): Map<string, string> =>
  new Map(flatten(JSON.parse(readFileSync(join(root, 'locales', `${language}.json`), 'utf8')) as Tree))
const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*(\w+)[^}]*\}\}/g)].map((m) => m[1] ?? '').sort()
const tags = (text: string): string[] => [...text.matchAll(/<\/?(\w+)>/g)].map((m) => m[0]).sort()
/** A key as used in code: without the plural suffix. */
const stem = (key: string): string => key.replace(plural, '')

const codes = readdirSync(join(root, 'locales'))
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace(/\.json$/, ''))
const source = read('zh-CN')
const stems = new Set([...source.keys()].map(stem))

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'dev' ? [] : sources(path)
    return /\.tsx?$/.test(entry.name) ? [readFileSync(path, 'utf8')] : []
  })
}

describe.each(codes)('pack %s', (language) => {
  const pack = read(language)

  it('is for a supported language', () => {
    expect(languages).toContain(language)
  })

  it('has exactly the keys of the source', () => {
    const packStems = new Set([...pack.keys()].map(stem))
    expect({
      missing: [...stems].filter((key) => !packStems.has(key)),
      extra: [...packStems].filter((key) => !stems.has(key)),
    }).toEqual({ missing: [], extra: [] })
  })

  it('has no empty text', () => {
    expect([...pack].filter(([, text]) => text.trim() === '').map(([key]) => key)).toEqual([])
  })

  it('has the placeholders and tags of the source', () => {
    const byStem = new Map([...source].map(([key, text]) => [stem(key), text]))
    const wrong = [...pack].filter(([key, text]) => {
      const sourceText = byStem.get(stem(key)) ?? ''
      // A singular form may omit its number.
      const expected = placeholders(sourceText).filter((name) => !(plural.test(key) && name === 'count'))
      const actual = placeholders(text).filter((name) => !(plural.test(key) && name === 'count'))
      return expected.join() !== actual.join() || tags(sourceText).join() !== tags(text).join()
    })
    expect(wrong.map(([key]) => key)).toEqual([])
  })

  it('has every plural category of its language', () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted()
    const forms = new Map<string, string[]>()
    for (const key of pack.keys()) {
      const form = plural.exec(key)?.[1]
      if (form !== undefined) forms.set(stem(key), [...(forms.get(stem(key)) ?? []), form])
    }
    for (const [key, keyForms] of forms) expect([key, keyForms.toSorted()]).toEqual([key, categories])
  })

  it('ends an error of several sentences with a full stop, except in Thai', () => {
    const wrong = [...pack].filter(([key, text]) => {
      const hasFullStop = /[.!?。！？]$/.test(text)
      const hasSeveralSentences = /[^.!?][.!?]\s|[。！？]./.test(text)
      return (
        key.startsWith('error.') && (language === 'th' ? hasFullStop : hasSeveralSentences && !hasFullStop)
      )
    })
    expect(wrong.map(([key]) => key)).toEqual([])
  })

  it('has no straight quotes, and the narrow spaces of French', () => {
    const wrong = [...pack].filter(([, text]) => {
      const plain = text.replaceAll(/\{\{.*?\}\}/g, '0')
      return /["']/.test(plain) || (language === 'fr' && /[^\s\u202F] ?[;!?%]|[^\u00A0] :|« | »/u.test(plain))
    })
    expect(wrong.map(([key]) => key)).toEqual([])
  })

  it('uses composed characters (NFC)', () => {
    expect([...pack].filter(([, text]) => text !== text.normalize('NFC')).map(([key]) => key)).toEqual([])
  })
})

describe('pack keys', () => {
  const code = sources(join(root, 'src')).join('\n')
  const literals = new Set([...code.matchAll(/['"`]([a-z]\w*(?:\.\w+)+)['"`]/g)].map((m) => m[1] ?? ''))
  /** `error.${code}`: every key with the text before the variable part counts as used. */
  const prefixes = [...code.matchAll(/`([a-z]\w*(?:\.\w+)*\.)\$\{/g)].map((m) => m[1] ?? '')
  const suffixed = [...code.matchAll(/`([a-z]\w*\.)\$\{[^}]+\}(\.?\w*)`/g)]

  it('are all used in the code', () => {
    const used = (key: string): boolean =>
      literals.has(key) || prefixes.some((prefix) => key.startsWith(prefix))
    expect([...stems].filter((key) => !used(key))).toEqual([])
  })

  it('exist for every use in the code', () => {
    const sections = new Set([...stems].map((key) => key.split('.')[0]))
    const usedKeys = [...code.matchAll(/\bt\(\s*['"]([\w.]+)['"]/g)].map((m) => m[1] ?? '')
    expect(usedKeys.filter((key) => !stems.has(key) && sections.size > 0)).toEqual([])
    for (const [, prefix = '', suffix = ''] of suffixed) {
      if (!sections.has(prefix.slice(0, -1))) continue
      expect([...stems].some((key) => key.startsWith(prefix) && key.endsWith(suffix))).toBe(true)
    }
  })

  it('exist for every error code of the contract', () => {
    expect([...errorCodes, ...fieldCodes].filter((errorCode) => !stems.has(`error.${errorCode}`))).toEqual([])
  })
})
