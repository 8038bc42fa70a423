import type { Observable, SchedulerLike } from 'rxjs'
import type { RunningConnection } from '../wire/connection.ts'
import type { DecodedEvents } from '../wire/decode.ts'
import { Hub } from './hub.ts'
import { createCandleFeeds } from './keptCandles.ts'
import { createQuotes } from './quote.ts'
import { createScales, type Scales } from './scales.ts'
import { ticksSince$ } from './ticksSince.ts'
import { createRecentFrames } from './recentFrames.ts'
import { createSeenHeads } from './seenHeads.ts'
import type { Api, Wire } from '../parts.ts'
import type { RecentFrames, Streams } from '../types.ts'

export type PricesParts = {
  wire: Wire
  api: Api
  events: DecodedEvents
  connection: Pick<RunningConnection, 'up$' | 'stale$'>
  animationFrame$: Observable<unknown>
  scheduler: SchedulerLike
  monotonic: () => number
}

export type Prices = {
  streams: Pick<Streams, 'run$' | 'ticksSince$' | 'quote$' | 'lastQuote' | 'candles' | 'seenHeads'>
  scales: Scales
  /** @param toVenueTime what to add to a monotonic instant for the venue's, ms */
  recentFrames: (toVenueTime: number) => RecentFrames
  /** Whether the venue sends heartbeats: it does so for subscribed products. */
  heartbeatExpected$: Observable<boolean>
  close: () => void
}

/** Every stream of prices, over one hub. */
export function createPrices(parts: PricesParts): Prices {
  const { wire, api, events, connection, animationFrame$, scheduler } = parts
  const scales = createScales(api)
  const hub = new Hub({
    ...events,
    ...connection,
    wire,
    api,
    scaleOf: scales.get,
    animationFrame$,
    scheduler,
  })
  const recentFrames = createRecentFrames({
    frame$: events.frame$,
    ids: () => hub.ids,
    scaleOf: scales.known,
    monotonic: parts.monotonic,
  })
  const heads = createSeenHeads(events.feed$)
  const quotes = createQuotes(hub)
  const history = { hub, api, scaleOf: scales.get, scheduler }
  const kept = createCandleFeeds({ ...history, feed$: events.feed$ })
  return {
    streams: {
      run$: (id) => hub.run$(id),
      ticksSince$: (id, from) => ticksSince$(id, from, history),
      quote$: quotes.quote$,
      lastQuote: quotes.lastQuote,
      candles: kept.candles,
      seenHeads: heads.seen,
    },
    scales,
    recentFrames: recentFrames.recent,
    heartbeatExpected$: hub.anySubscribed$,
    close: () => {
      kept.close()
      quotes.close()
      heads.close()
      recentFrames.close()
      hub.close()
    },
  }
}
