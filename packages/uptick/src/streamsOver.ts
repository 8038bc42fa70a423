import type { Client } from '../../../src/api/clientOver.ts'
import { apiForStreams } from '../../../src/api/streamsApi.ts'
import { createStreams, createWire, type Streams } from '../../../streams/index.ts'

/** The app's streams over the socket of a venue and a client of its calls; nothing is stored. */
export function streamsOver(
  origin: string,
  call: Client,
  { headers = {}, newKey }: { headers?: Record<string, string>; newKey?: (() => string) | undefined } = {},
): Streams {
  return createStreams({
    wire: createWire({ url: origin, headers }),
    api: apiForStreams(call, storesNothing, storesNothing),
    placementStore: { load: () => [], save: () => undefined, drop: () => undefined },
    newKey: newKey ?? (() => crypto.randomUUID()),
    monotonic: () => performance.now(),
  })
}

const storesNothing = {
  saveOrders: () => Promise.resolve(),
  saveMessages: () => Promise.resolve(),
  saveProducts: () => Promise.resolve(),
  recordOrder: () => Promise.resolve(),
  memberGuard: () => () => true,
}
