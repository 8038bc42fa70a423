import { venueRoutes } from '../../contract/venueConfig.ts'
import { session } from '../state/session.ts'
import { call } from './venue.ts'

/** Fetches the venue's configuration again: in practice mode its calendar can be moved while the app is open. */
export async function refreshConfig(): Promise<void> {
  const config = await call(venueRoutes.config, {})
  if (config.ok) session.appInfo = config.value
}
