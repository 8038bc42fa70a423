import type { Language } from '../../contract/constants.ts'
import { countryCodes } from '../../contract/countries.ts'
import type { CountryNames } from '../../contract/venueConfig.ts'
import { localeOf } from './format.ts'

/** The verification form starts with this country's rules for names and numbers. */
export const defaultCountry = 'CN'

export type Country = { value: string; label: string }
const noNames: CountryNames = {}
const cache = new WeakMap<CountryNames, Map<Language, readonly Country[]>>()

/**
 * Countries by their short names in a language, in its order; China first. What `names` (the operator's
 * `countryNames`) has for a country wins.
 */
export function countriesIn(language: Language, names: CountryNames = noNames): readonly Country[] {
  const byLanguage = cache.get(names) ?? new Map<Language, readonly Country[]>()
  cache.set(names, byLanguage)
  const cached = byLanguage.get(language)
  if (cached) return cached
  const locale = localeOf(language)
  const displayNames = new Intl.DisplayNames([locale], { type: 'region', style: 'short' })
  const { compare } = new Intl.Collator(locale)
  const all = countryCodes.map((value) => ({
    value,
    label: names[value]?.[language] ?? displayNames.of(value) ?? value,
  }))
  const first = all.filter(({ value }) => value === defaultCountry)
  const rest = all.filter(({ value }) => value !== defaultCountry).sort((a, b) => compare(a.label, b.label))
  const list = [...first, ...rest]
  byLanguage.set(language, list)
  return list
}
