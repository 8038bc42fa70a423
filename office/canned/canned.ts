import type { Language } from '../../contract/constants.ts'
import type source from './zh-CN.json'

/** Sentences for members in one language. zh-CN is the source of their keys. */
export type CannedTexts = typeof source
export type ReasonTopic = keyof CannedTexts['reasons']

/** Languages that have no space between sentences. */
const withoutSpace: ReadonlySet<Language> = new Set(['zh-CN', 'zh-TW', 'ja'])
/** Sentences of a language, one after the other. */
export const joinSentences = (language: Language | null, sentences: readonly string[]): string =>
  sentences.join(language !== null && withoutSpace.has(language) ? '' : ' ')

const files = import.meta.glob<CannedTexts>('./*.json', { import: 'default' })
const loaded = new Map<Language, Promise<CannedTexts>>()

/** Loaded when a dialog first needs the language. */
export function cannedIn(language: Language): Promise<CannedTexts> {
  const known = loaded.get(language)
  if (known !== undefined) return known
  const file = files[`./${language}.json`]
  if (file === undefined) throw new Error(`no texts in ${language}`)
  const texts = file()
  loaded.set(language, texts)
  return texts
}
