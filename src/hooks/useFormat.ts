import { useTranslation } from 'react-i18next'
import type { Language } from '../../contract/constants.ts'
import { formatOf, type Format } from '../text/format.ts'
import { useVenueConfig } from './useVenue.ts'
import { currentLanguage } from '../text/i18n.ts'

/** The current language; the component renders again when it changes. */
export function useLanguage(): Language {
  useTranslation()
  return currentLanguage()
}

/**
 * Formats numbers and dates in the current language. Times are in the venue's zone: an order's time must be the same in
 * its row, on the chart and in its proof, wherever the device is.
 */
export const useFormat = (): Format => formatOf(useLanguage(), useVenueConfig()?.zone)
