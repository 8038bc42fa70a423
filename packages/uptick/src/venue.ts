import type { Streams } from '../../../streams/index.ts'
import { askByFetch } from './askByFetch.ts'
import { venueStreams, type VenueOptions } from './venueStreams.ts'

export { createWire, forEachTick, ticksOf } from '../../../streams/index.ts'
export type { Order } from '../../../contract/orders.ts'
export type { Candle, Quote, Streams, Tick, TickRun, TicksEvent, Wire } from '../../../streams/index.ts'
export type { Orders, Placement } from '../../../streams/types.ts'
export type { VenueSession } from './venueClient.ts'
export type { VenueOptions } from './venueStreams.ts'

/**
 * Connects to a venue: the app's streams over its socket and calls. Prices need no session. `close()` ends it.
 * @param url origin of the venue, such as `https://venue.example`
 */
export const connectVenue = (url: string, options: VenueOptions = {}): Streams =>
  venueStreams(url, askByFetch, options)
