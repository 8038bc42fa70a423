import { useMemo } from 'react'
import { localeOf } from '../../src/text/format.ts'
import { currentLanguage, useTexts } from '../i18n.ts'

/** The name of a country or region in the current language. It stays the same function. */
export function useCountryName(): (code: string) => string {
  useTexts()
  const language = currentLanguage()
  return useMemo(() => {
    const names = new Intl.DisplayNames(localeOf(language), { type: 'region', fallback: 'code' })
    return (code) => names.of(code) ?? code
  }, [language])
}
