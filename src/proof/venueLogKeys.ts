import { session } from '../state/session.ts'
import type { LogKeys } from './log.ts'

/** The keys of the public log that the venue states in its configuration; none before that has arrived. */
export function venueLogKeys(): LogKeys {
  const { logKey = null, logWitnesses = [] } = session.appInfo ?? {}
  return { logKey, logWitnesses }
}
