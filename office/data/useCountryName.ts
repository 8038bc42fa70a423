import { localeOf } from '../../src/text/format.ts'
import { currentLanguage, useTexts } from '../i18n.ts'

/** The name of a country or region in the current language. */
export function useCountryName(): (code: string) => string {
  useTexts()
  const names = new Intl.DisplayNames(localeOf(currentLanguage()), { type: 'region', fallback: 'code' })
  return (code) => names.of(code) ?? code
}
