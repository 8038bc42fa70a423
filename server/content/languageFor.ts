import { defaultLanguage, languages } from '../../contract/constants.ts'
import type { Language } from '../../contract/constants.ts'

/** Readers of one Chinese script read the other sooner than anything else. */
const nearest: Partial<Record<Language, Language>> = { 'zh-CN': 'zh-TW', 'zh-TW': 'zh-CN' }

/** The language to show where not all have the text: the asked one, its nearest, English, the default, any. */
export function languageFor(
  requested: Language | undefined,
  has: (lang: Language) => boolean,
): Language | undefined {
  const wanted = requested ?? defaultLanguage
  const order = [wanted, nearest[wanted], 'en', defaultLanguage, ...languages] as const
  return order.find((lang) => lang !== undefined && has(lang))
}
