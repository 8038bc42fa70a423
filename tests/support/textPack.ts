import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

type Tree = { [key: string]: string | Tree }
/** The suffix of a plural's forms. */
export const plural = /_(zero|one|two|few|many|other)$/

function flatten(tree: Tree, prefix = ''): [key: string, text: string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value]] : flatten(value, `${prefix}${key}.`),
  )
}

/** A language pack as its texts by full key. */
export const readPack = (file: string): Map<string, string> =>
  new Map(flatten(JSON.parse(readFileSync(file, 'utf8')) as Tree))

const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*(\w+)[^}]*\}\}/g)].map((m) => m[1] ?? '').sort()
const tags = (text: string): string[] => [...text.matchAll(/<\/?(\w+)>/g)].map((m) => m[0]).sort()
/** A key as used in code: without the plural suffix. */
export const stem = (key: string): string => key.replace(plural, '')

export const stemsOf = (pack: Map<string, string>): Set<string> => new Set([...pack.keys()].map(stem))

/** The keys whose text does not have the placeholders and tags of the source's. */
export function differingPlaceholders(pack: Map<string, string>, source: Map<string, string>): string[] {
  const byStem = new Map([...source].map(([key, text]) => [stem(key), text]))
  const wrong = [...pack].filter(([key, text]) => {
    const sourceText = byStem.get(stem(key)) ?? ''
    // A singular form may omit its number.
    const counts = (name: string): boolean => !(plural.test(key) && name === 'count')
    const expected = placeholders(sourceText).filter(counts)
    const actual = placeholders(text).filter(counts)
    return expected.join() !== actual.join() || tags(sourceText).join() !== tags(text).join()
  })
  return wrong.map(([key]) => key)
}

/** The plural forms that each key with any has. */
export function pluralForms(pack: Map<string, string>): Map<string, string[]> {
  const forms = new Map<string, string[]>()
  for (const key of pack.keys()) {
    const form = plural.exec(key)?.[1]
    if (form !== undefined) forms.set(stem(key), [...(forms.get(stem(key)) ?? []), form])
  }
  return forms
}

export const pluralCategories = (language: string): string[] =>
  new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted()

/** The source files below a folder, in one text; `dev` folders are left out. */
export function codeIn(folder: string): string {
  const sources = (path: string): string[] =>
    readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
      const inner = join(path, entry.name)
      if (entry.isDirectory()) return entry.name === 'dev' ? [] : sources(inner)
      return /\.tsx?$/.test(entry.name) ? [readFileSync(inner, 'utf8')] : []
    })
  return sources(folder).join('\n')
}

/** The keys that the code never names. `error.${code}` names every key that begins with the text before the variable part. */
export function unusedKeys(stems: ReadonlySet<string>, code: string): string[] {
  const literals = new Set([...code.matchAll(/['"`]([a-z]\w*(?:\.[\w-]+)+)['"`]/g)].map((m) => m[1] ?? ''))
  const prefixes = [...code.matchAll(/`([a-z]\w*(?:\.\w+)*\.)\$\{/g)].map((m) => m[1] ?? '')
  return [...stems].filter((key) => !literals.has(key) && !prefixes.some((prefix) => key.startsWith(prefix)))
}
