import { defaultLanguage, languages, type Language } from '../../../contract/constants.ts'

/** Readers of one Chinese script prefer the other to any other language. */
const nearest: Partial<Record<Language, Language>> = { 'zh-CN': 'zh-TW', 'zh-TW': 'zh-CN' }

/** The best available language: the requested one, its nearest, English, the default, then any. */
export function languageFor(
  requested: Language | undefined,
  has: (lang: Language) => boolean,
): Language | undefined {
  const preferred = requested ?? defaultLanguage
  const order = [preferred, nearest[preferred], 'en', defaultLanguage, ...languages] as const
  return order.find((lang) => lang !== undefined && has(lang))
}
