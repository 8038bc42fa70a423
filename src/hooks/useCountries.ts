import { countriesIn, type Country } from '../text/countries.ts'
import { useLanguage } from './useFormat.ts'
import { useVenueConfig } from './useVenue.ts'

/** The countries and regions to choose from, named as the operator and the language name them. */
export const useCountries = (): readonly Country[] =>
  countriesIn(useLanguage(), useVenueConfig()?.countryNames)

/** The name of a country or region by its code. */
export function useCountryName(): (code: string) => string {
  const countries = useCountries()
  return (code) => countries.find(({ value }) => value === code)?.label ?? code
}
