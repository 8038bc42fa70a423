import type { VenueConfig } from '../../contract/venueConfig.ts'
import { useSession } from '../state/session.ts'

/** The venue's configuration as last received; null before the first time. */
export const useVenueConfig = (): VenueConfig | null => useSession().appInfo
