import { createEmitter } from '../lib/emitter.ts'
import type { Client } from './client.ts'

let pendingCount = 0
const emitter = createEmitter()

function changePending(by: number): void {
  pendingCount += by
  emitter.emit()
}

/** A client whose GET requests are counted while they are pending. */
export const trackPendingReads =
  (client: Client): Client =>
  async (route, input, options) => {
    if (route.method !== 'GET') return client(route, input, options)
    changePending(1)
    try {
      return await client(route, input, options)
    } finally {
      changePending(-1)
    }
  }

/** Whether any GET request is pending. */
export const hasPendingReads = (): boolean => pendingCount > 0

/** For `useSyncExternalStore`. */
export const watchPendingReads = emitter.subscribe
