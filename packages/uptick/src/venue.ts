import { createClient } from '../../../src/api/client.ts'
import type { Streams } from '../../../streams/index.ts'
import { streamsOver } from './streamsOver.ts'

export { createWire, forEachTick, ticksOf } from '../../../streams/index.ts'
export type { Candle, Quote, Streams, Tick, TickRun, TicksEvent, Wire } from '../../../streams/index.ts'

/** What a member's session needs; without it only prices come. */
export type VenueSession = {
  /** The `token` of the log-in's answer. */
  token: string
  /** The session's cookie, as `name=value`. */
  cookie: string
}
export type VenueOptions = { session?: VenueSession; newKey?: () => string }

/**
 * Connects to a venue: the app's streams over its socket and calls. Prices need no session. `close()` ends it.
 * @param url origin of the venue, such as `https://venue.example`
 */
export function connectVenue(url: string, { session, newKey }: VenueOptions = {}): Streams {
  const origin = new URL(url).origin
  const headers = session === undefined ? {} : { cookie: session.cookie }
  const call = createClient({
    baseURL: `${origin}/api`,
    headers,
    session: { token: () => session?.token ?? null, onEnded: () => undefined },
  })
  return streamsOver(origin, call, { headers, newKey })
}
