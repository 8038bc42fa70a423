import { sessionRoutes } from '../../contract/session.ts'
import { session } from '../state/session.ts'
import { call } from './venue.ts'

/** Asks again what the venue is set to: in practice its calendar can be moved while the app is open. */
export async function refreshConfig(): Promise<void> {
  const config = await call(sessionRoutes.config, {})
  if (config.ok) session.appInfo = config.value
}
