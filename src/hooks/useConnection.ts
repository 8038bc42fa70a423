import type { Connection } from '../../streams/index.ts'
import { useObservable } from './useObservable.ts'
import { useStreams } from './useStreams.ts'

/** The state until the streams emit one. */
const notConnected: Connection = { state: 'idle', stale: false, lastHeartbeatAt: undefined, attempt: 0 }

/** The state of the connection to the venue. */
export const useConnection = (): Connection => useObservable(useStreams().connection$, notConnected)
