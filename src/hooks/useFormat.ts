import { useTranslation } from 'react-i18next'
import type { Language } from '../../contract/constants.ts'
import type { Format } from '../format.ts'
import { formatOf } from '../format.ts'
import { useVenueConfig } from './useVenueConfig.ts'
import { currentLanguage } from '../i18n.ts'

/** The language shown; the component draws again when it changes. */
export function useLanguage(): Language {
  useTranslation()
  return currentLanguage()
}

/**
 * Writes figures and dates in the language shown. Times are the venue's, in its zone: an order's second must read
 * the same in its row, on the chart and in its proof, wherever the device is.
 */
export const useFormat = (): Format => formatOf(useLanguage(), useVenueConfig()?.zone)
