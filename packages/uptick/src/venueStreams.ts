import { apiForStreams } from '../../../src/api/streamsApi.ts'
import { createStreams, createWire, type Streams } from '../../../streams/index.ts'
import { cookieOf, venueClient, type Ask, type VenueSession } from './venueClient.ts'

export type VenueOptions = { session?: VenueSession; newKey?: () => string }

/** The app's streams over the socket and the calls of a venue; nothing is stored. */
export function venueStreams(url: string, ask: Ask, { session, newKey }: VenueOptions = {}): Streams {
  const { origin } = new URL(url)
  return createStreams({
    wire: createWire({ url: origin, headers: cookieOf(session) }),
    api: apiForStreams(venueClient(origin, ask, session), storesNothing, storesNothing),
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
