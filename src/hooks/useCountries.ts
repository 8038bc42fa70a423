import { countriesIn } from '../countries.ts'
import type { Country } from '../countries.ts'
import { useLanguage } from './useFormat.ts'
import { useVenueConfig } from './useVenue.ts'

/** The countries and regions to choose from, named as the operator and the language name them. */
export const useCountries = (): readonly Country[] =>
  countriesIn(useLanguage(), useVenueConfig()?.countryNames)
