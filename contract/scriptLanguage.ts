import type { Language } from './constants.ts'

/** In this order: Japanese has Chinese characters too, and Korean may. */
const scripts: readonly (readonly [RegExp, Language])[] = [
  [/[\p{sc=Hira}\p{sc=Kana}]/u, 'ja'],
  [/\p{sc=Hang}/u, 'ko'],
  [/\p{sc=Thai}/u, 'th'],
  [/\p{sc=Han}/u, 'zh-CN'],
]

/** The language that the script of a text gives away; null if it could be any of several, as in Latin letters. */
export const languageOfScript = (text: string): Language | null =>
  scripts.find(([script]) => script.test(text))?.[1] ?? null
