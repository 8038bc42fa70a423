import type { VenueConfig } from '../../contract/venueConfig.ts'
import { useSession } from '../state/session.ts'

/** What the venue is set to, as last heard; null before it was ever reached. */
export const useVenueConfig = (): VenueConfig | null => useSession().appInfo
