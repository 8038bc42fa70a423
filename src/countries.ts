import type { Language } from '../contract/constants.ts'
import type { CountryNames } from '../contract/venueConfig.ts'
import { localeOf } from './format.ts'

/** The countries and regions of ISO 3166-1 that people live in, by alpha-2 code. */
const codes =
  'AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ ' +
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO ' +
  'FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IQ IR IS IT JE ' +
  'JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO ' +
  'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW ' +
  'PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TG TH TJ TK TL TM ' +
  'TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'

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
  const all = codes.split(' ').map((value) => ({
    value,
    label: names[value]?.[language] ?? displayNames.of(value) ?? value,
  }))
  const first = all.filter(({ value }) => value === defaultCountry)
  const rest = all.filter(({ value }) => value !== defaultCountry).sort((a, b) => compare(a.label, b.label))
  const list = [...first, ...rest]
  byLanguage.set(language, list)
  return list
}
