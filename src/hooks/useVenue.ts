import type { VenueConfig } from '../../contract/venueConfig.ts'
import { currentLanguage } from '../text/i18n.ts'
import { paths } from '../paths.ts'
import { hrefTo } from '../router/hashLocation.ts'
import { useSession } from '../state/session.ts'

/** The venue's configuration as last received; null before the first time. */
export const useVenueConfig = (): VenueConfig | null => useSession().appInfo

/** The member's location as the device reports it. */
export const deviceZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The venue's time zone, in which its days begin; the device's before it is known. */
export const useVenueZone = (): string => useVenueConfig()?.zone ?? deviceZone()

/** The link to customer service: the conversation in the app, or the configured address. */
export const useServiceHref = (): string => useVenueConfig()?.serviceUrl ?? hrefTo(paths.service)

/** When customer service answers, in the current language or else in one that the operator has written. */
export function useServiceHours(): string | undefined {
  const hours = useVenueConfig()?.serviceHours ?? {}
  return hours[currentLanguage()] ?? hours.en ?? Object.values(hours)[0]
}
