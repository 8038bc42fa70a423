import { defaultLanguage, languageCookie, languages, type Language } from '../../contract/constants.ts'
import { readText, writeCookie, writeText } from '../state/storage.ts'

/** The value in storage is the plain code, `en`, not JSON. */
export const languageKey = 'language'

const languageOf = (code: string | undefined): Language | undefined =>
  languages.find((language) => language === code)

/** The language to start in: the one that the member chose on this device, else the page's, which the venue chose. */
export const startLanguage = (): Language =>
  languageOf(readText(languageKey)) ?? languageOf(document.documentElement.lang) ?? defaultLanguage

/** Stores the member's choice for the next visit, and for the venue in a cookie. */
export function storeChosenLanguage(language: Language): void {
  if (readText(languageKey) !== language) writeText(languageKey, language)
  writeCookie(languageCookie, language)
}

/** Renews the cookie at each start: some browsers delete what scripts set after seven days. */
export function renewLanguageCookie(): void {
  const chosen = languageOf(readText(languageKey))
  if (chosen !== undefined) writeCookie(languageCookie, chosen)
}
