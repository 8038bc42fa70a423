import { createWatchers } from '../watchers.ts'
import type { Client } from './client.ts'

let reading = 0
const watchers = createWatchers()

function change(by: number): void {
  reading += by
  watchers.tell()
}

/** A client whose questions to the venue are counted while they run; what changes something there is none. */
export const countReads =
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
export const isReading = (): boolean => reading > 0

/** For `useSyncExternalStore`. */
export const watchReads = watchers.watch
