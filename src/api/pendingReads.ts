import { createEmitter } from '../emitter.ts'
import type { Client } from './client.ts'

let pendingCount = 0
const emitter = createEmitter()

function change(by: number): void {
  pendingCount += by
  emitter.emit()
}

/** A client whose questions to the venue are counted while they run; what changes something there is none. */
export const trackPendingReads =
  (client: Client): Client =>
  async (route, input, options) => {
    if (route.method !== 'GET') return client(route, input, options)
    change(1)
    try {
      return await client(route, input, options)
    } finally {
      change(-1)
    }
  }

/** Whether the venue still owes an answer to a question. */
export const hasPendingReads = (): boolean => pendingCount > 0

/** For `useSyncExternalStore`. */
export const watchPendingReads = emitter.subscribe
