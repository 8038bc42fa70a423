import { readLogMemory } from '../state/logMemory.ts'
import { session } from '../state/session.ts'
import type { LogKeys } from './log.ts'
import type { KnownKey } from './receipt.ts'

/** The keys of the public log that the venue states in its configuration; none before that has arrived. */
export function venueLogKeys(): LogKeys {
  const { logKey, logWitnesses } = session.appInfo ?? { logKey: null, logWitnesses: [] }
  return { logKey, logWitnesses }
}

/**
 * The keys that receipts are verified with: those that this device verified the public log with. Until there is one, that which
 * the venue states; after that it could state any key for a receipt that it wants to deny later.
 */
export function receiptKeys(): KnownKey[] {
  const { newest, formerKeys, alarm } = readLogMemory()
  // The alarm of a new log is shown and asks the member: its receipts raise no alarm of their own.
  const replacing: KnownKey[] = alarm?.kind === 'replaced' ? [{ key: alarm.now.logKey, from: 'venue' }] : []
  if (newest !== null)
    return [...[newest.logKey, ...formerKeys].map((key): KnownKey => ({ key, from: 'device' })), ...replacing]
  const { logKey } = venueLogKeys()
  return logKey === null ? [] : [{ key: logKey, from: 'venue' }]
}
