import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { languages } from '../../contract/constants.ts'
import { errorCodes, fieldCodes } from '../../contract/errors.ts'

const root = join(import.meta.dirname, '../..')
type Tree = { [key: string]: string | Tree }
const plural = /_(zero|one|two|few|many|other)$/

function flat(tree: Tree, prefix = ''): [key: string, text: string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value]] : flat(value, `${prefix}${key}.`),
  )
}
const read = (language: string): Map<string, string> =>
  new Map(flat(JSON.parse(readFileSync(join(root, 'locales', `${language}.json`), 'utf8')) as Tree))
const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*(\w+)[^}]*\}\}/g)].map((m) => m[1] ?? '').sort()
const tags = (text: string): string[] => [...text.matchAll(/<\/?(\w+)>/g)].map((m) => m[0]).sort()
/** A key as code asks for it: without the plural's ending. */
const stem = (key: string): string => key.replace(plural, '')

const codes = readdirSync(join(root, 'locales')).map((file) => file.replace(/\.json$/, ''))
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

  it('is of a language that is offered', () => {
    expect(languages).toContain(language)
  })

  it('has the keys of the source, no more and no fewer', () => {
    const own = new Set([...pack.keys()].map(stem))
    expect({
      missing: [...stems].filter((key) => !own.has(key)),
      extra: [...own].filter((key) => !stems.has(key)),
    }).toEqual({ missing: [], extra: [] })
  })

  it('leaves nothing empty', () => {
    expect([...pack].filter(([, text]) => text.trim() === '').map(([key]) => key)).toEqual([])
  })

  it('keeps every placeholder and tag', () => {
    const byStem = new Map([...source].map(([key, text]) => [stem(key), text]))
    const wrong = [...pack].filter(([key, text]) => {
      const model = byStem.get(stem(key)) ?? ''
      // A plural of one may do without its number.
      const wanted = placeholders(model).filter((name) => !(plural.test(key) && name === 'count'))
      const has = placeholders(text).filter((name) => !(plural.test(key) && name === 'count'))
      return wanted.join() !== has.join() || tags(model).join() !== tags(text).join()
    })
    expect(wrong.map(([key]) => key)).toEqual([])
  })

  it('has each plural in every category of its language', () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted()
    const forms = new Map<string, string[]>()
    for (const key of pack.keys()) {
      const form = plural.exec(key)?.[1]
      if (form !== undefined) forms.set(stem(key), [...(forms.get(stem(key)) ?? []), form])
    }
    for (const [key, found] of forms) expect([key, found.toSorted()]).toEqual([key, categories])
  })

  it('ends an error of more than one sentence with a stop; Thai has none', () => {
    const wrong = [...pack].filter(([key, text]) => {
      const stopped = /[.!?。！？]$/.test(text)
      const several = /[^.!?][.!?]\s|[。！？]./.test(text)
      return key.startsWith('error.') && (language === 'th' ? stopped : several && !stopped)
    })
    expect(wrong.map(([key]) => key)).toEqual([])
  })

  it('is written in composed characters', () => {
    expect([...pack].filter(([, text]) => text !== text.normalize('NFC')).map(([key]) => key)).toEqual([])
  })
})

describe('keys', () => {
  const code = sources(join(root, 'src')).join('\n')
  const literals = new Set([...code.matchAll(/['"`]([a-z]\w*(?:\.\w+)+)['"`]/g)].map((m) => m[1] ?? ''))
  /** `error.${code}`: whatever stands before the variable part is used as a whole. */
  const prefixes = [...code.matchAll(/`([a-z]\w*(?:\.\w+)*\.)\$\{/g)].map((m) => m[1] ?? '')
  const suffixed = [...code.matchAll(/`([a-z]\w*\.)\$\{[^}]+\}(\.?\w*)`/g)]

  it('are all asked for somewhere', () => {
    const used = (key: string): boolean =>
      literals.has(key) || prefixes.some((prefix) => key.startsWith(prefix))
    expect([...stems].filter((key) => !used(key))).toEqual([])
  })

  it('are all there that are asked for', () => {
    const sections = new Set([...stems].map((key) => key.split('.')[0]))
    const asked = [...code.matchAll(/\bt\(\s*['"]([\w.]+)['"]/g)].map((m) => m[1] ?? '')
    expect(asked.filter((key) => !stems.has(key) && sections.size > 0)).toEqual([])
    for (const [, prefix = '', suffix = ''] of suffixed) {
      if (!sections.has(prefix.slice(0, -1))) continue
      expect([...stems].some((key) => key.startsWith(prefix) && key.endsWith(suffix))).toBe(true)
    }
  })

  it('have a text for every code of the contract', () => {
    expect([...errorCodes, ...fieldCodes].filter((one) => !stems.has(`error.${one}`))).toEqual([])
  })
})
