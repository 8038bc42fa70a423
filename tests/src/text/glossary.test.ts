import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { languages, type Language } from '../../../contract/constants.ts'
import glossary from '../../fixtures/glossary.json' with { type: 'json' }
import { readPack, stem } from '../../support/textPack.ts'

/*
 * One term for one thing in all that members and staff read: where the English text names a thing of the glossary, the
 * text of every other language has its word for it. Each value is a pattern, because words are inflected; `except` are
 * the places that leave the word out, and why. Statements, messages and notifications take their words from the packs.
 */
type Term = Record<Language, string> & { except?: Record<string, string> }
const terms = Object.entries(glossary as Record<string, Term>)

const root = join(import.meta.dirname, '../../..')
/** Without names of code, and what only hyphenates or keeps words together. */
const plain = (text: string): string =>
  text
    .replaceAll(/```[^]*?```|`[^`]*`/g, ' ')
    .replaceAll(/[\u2060\u00AD\u200B]/g, '')
    .replaceAll(/[\u00A0\u202F]/g, ' ')

/** The texts of a pack by key; the forms of a plural are one. */
function packOf(folder: string, language: string): Map<string, string> {
  const texts = new Map<string, string>()
  for (const [key, text] of readPack(join(root, folder, `${language}.json`)))
    texts.set(stem(key), plain(`${texts.get(stem(key)) ?? ''} ${text}`))
  return texts
}

/** Each page, highlight and piece of news as one text, and the guide to checking a result. */
function pagesOf(language: string): Map<string, string> {
  const seeds = join(root, 'server/office/content/seed')
  const files = readdirSync(seeds, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith(`.${language}.md`),
  )
  const guides = ['texts', 'short'].map((kind) => [kind, `src/pages/check/${kind}/${language}.md`] as const)
  return new Map(
    [
      ...files.map(
        (file) => [file.replace(`.${language}.md`, ''), readFileSync(join(seeds, file), 'utf8')] as const,
      ),
      ...guides.map(([kind, file]) => [`check/${kind}`, readFileSync(join(root, file), 'utf8')] as const),
    ].map(([name, text]) => [name, plain(text)]),
  )
}

/** `where: term` of each text that lacks the word of its language. */
function lacking(english: Map<string, string>, other: Map<string, string>, language: Language): string[] {
  return terms.flatMap(([name, term]) => {
    const [named, word] = [new RegExp(term.en, 'i'), new RegExp(term[language], 'i')]
    return [...english]
      .filter(([key, text]) => named.test(text) && term.except?.[key] === undefined)
      .filter(([key]) => !word.test(other.get(key) ?? ''))
      .map(([key]) => `${key}: ${name}`)
  })
}

describe.each(languages)('in %s, each thing has its one word', (language) => {
  it.each(['locales', 'office/canned'])('in %s', (folder) => {
    expect(lacking(packOf(folder, 'en'), packOf(folder, language), language)).toEqual([])
  })

  it('on the pages', () => {
    expect(lacking(pagesOf('en'), pagesOf(language), language)).toEqual([])
  })
})

it('in the office, in Chinese', () => {
  expect(lacking(packOf('office/locales', 'en'), packOf('office/locales', 'zh-CN'), 'zh-CN')).toEqual([])
})

it('the glossary excepts only texts that there are', () => {
  const places = new Set(
    ['locales', 'office/canned', 'office/locales'].flatMap((folder) => [...packOf(folder, 'en').keys()]),
  )
  for (const page of pagesOf('en').keys()) places.add(page)
  const excepted = terms.flatMap(([, { except = {} }]) => Object.keys(except))
  expect(excepted.filter((place) => !places.has(place))).toEqual([])
})
