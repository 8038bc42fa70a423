import type { Connection } from '../../streams/index.ts'

/** The state until the streams emit one. */
export const notConnected: Connection = {
  state: 'idle',
  stale: false,
  lastHeartbeatAt: undefined,
  attempt: 0,
}
