import type { Connection } from '../../streams/index.ts'

/** Before the streams have said anything. */
export const notConnected: Connection = {
  state: 'idle',
  stale: false,
  lastHeartbeatAt: undefined,
  attempt: 0,
}
