import { BehaviorSubject, Subject, animationFrames, asyncScheduler, interval, merge } from 'rxjs'
import type { Observable } from 'rxjs'
import { filter, map } from 'rxjs'
import { assets$ } from './account.ts'
import { createClock } from './clock.ts'
import { createConnection } from './connection.ts'
import { createSeenHeads } from './seenHeads.ts'
import { Hub } from './hub.ts'
import type { Live } from './live.ts'
import { createLive } from './live.ts'
import { decodeEvents } from './decode.ts'
import { createMessages } from './messages.ts'
import { pagedList } from './pagedList.ts'
import { createResource } from './resource.ts'
import { countdown$ } from './orders/countdown.ts'
import { createOpenOrders } from './orders/openOrders.ts'
import { createOrderPlacer } from './orders/place.ts'
import { openPnl$, pnl$ } from './orders/pnl.ts'
import { createCandleFeed } from './products/candles.ts'
import { createCatalog } from './products/catalog.ts'
import { createQuotes } from './products/quote.ts'
import { recommended$ } from './products/recommended.ts'
import { createScales } from './products/scales.ts'
import { ticksSince$ } from './products/ticksSince.ts'
import type { Order, Orders, Streams, StreamsParts } from './types.ts'

export * from './types.ts'
export { forEachTick, ticksOf } from './tickRun.ts'
export { placementValidMs } from './orders/place.ts'
export { createWire } from './wire.ts'
export type { WireOptions } from './wire.ts'
export { createReplayWire, replayTicks } from './recording/replay.ts'
export type { ReplayProduct } from './recording/replayedProduct.ts'
export { recordTicks } from './recording/record.ts'

/**
 * Builds every stream of the app over one wire, and connects. No Subject is exposed.
 * `close()` ends everything: afterwards nothing is subscribed on the wire and no timer is left.
 */
export function createStreams(parts: StreamsParts): Streams {
  const { wire, api } = parts
  const scheduler = parts.scheduler ?? asyncScheduler
  const animationFrame$ = parts.animationFrame$ ?? animationFrames$()
  const resume = new Subject<void>()
  const account = new Subject<void>()
  const resume$ = resume.asObservable()
  const events = decodeEvents(wire)
  const wireUp$ = events.transport$.pipe(
    filter((event) => event.kind !== 'attempt'),
    map((event) => event.kind === 'up'),
  )
  const clock = createClock({
    probe: (t0) => wire.clock(t0),
    up$: wireUp$,
    resume$,
    hello$: events.hello$.pipe(map(({ now }) => now)),
    monotonic: parts.monotonic,
    scheduler,
  })
  const heartbeatExpected = new BehaviorSubject(false)
  const connection = createConnection({
    wire,
    transport$: events.transport$,
    feed$: events.feed$,
    answered$: clock.answered$,
    heartbeatExpected$: heartbeatExpected,
    resume$,
    scheduler,
  })
  const scales = createScales(api)
  const hub = new Hub({
    ...events,
    wire,
    api,
    scaleOf: scales.get,
    ...connection,
    animationFrame$,
    scheduler,
  })
  const history = { hub, api, scaleOf: scales.get, scheduler }
  const heartbeatWatch = hub.anySubscribed$.subscribe(heartbeatExpected)
  const heads = createSeenHeads(events.feed$)
  const quotes = createQuotes(hub)
  const whenUp = { up$: connection.up$, resume$, scheduler }
  const live = createLive({ ...whenUp, account$: account.asObservable() })
  const catalog = createCatalog({ ...whenUp, api, scales, product$: events.product$ })
  const orders = createOrders(parts, {
    ...whenUp,
    live,
    animationFrame$,
    clock,
    quote$: quotes.quote$,
    event$: events.order$,
  })

  connection.connect()
  return {
    connection$: connection.connection$,
    clock,
    catalog$: catalog.catalog$,
    recommended$: recommended$(catalog.catalog$),
    product$: catalog.product$,
    run$: (id) => hub.run$(id),
    ticksSince$: (id, from) => ticksSince$(id, from, history),
    quote$: quotes.quote$,
    lastQuote: quotes.lastQuote,
    candles: (id, tf) => createCandleFeed(id, tf, history),
    orders: orders.table,
    seenHeads: heads.seen,
    assets$: assets$(() => api.assets(), events.assets$, live),
    ledger$: events.ledger$,
    messages: createMessages({ ...api, event$: events.message$ }, live),
    service$: events.service$,
    event$: events.member$,
    resource: (source) => createResource(source, live),
    pagedList: (source) => pagedList(source, live),
    session$: events.session$,
    notice$: events.notice$,
    dropped: events.dropped,
    reconnect: () => {
      account.next()
      connection.connect()
    },
    refresh: () => resume.next(),
    close: () => {
      orders.close()
      quotes.close()
      heads.close()
      heartbeatWatch.unsubscribe()
      hub.close()
      connection.close()
      clock.stop()
      resume.complete()
      account.complete()
    },
  }
}

type OrdersParts = Parameters<typeof countdown$>[1] & {
  live: Live
  clock: ReturnType<typeof createClock>
  up$: Observable<boolean>
  quote$: Streams['quote$']
  animationFrame$: Observable<unknown>
  event$: Observable<Order>
}

function createOrders(parts: StreamsParts, shared: OrdersParts): { table: Orders; close: () => void } {
  const { api, placementStore, newKey } = parts
  const placer = createOrderPlacer({
    ...shared,
    placementStore,
    newKey,
    place: (key, order) => api.place(key, order),
    orderByKey: (key) => api.orderByKey(key),
    now: () => shared.clock.now(),
  })
  const event$ = merge(shared.event$, placer.accepted$)
  const open = createOpenOrders({
    live: shared.live,
    event$,
    positions: () => api.positions(),
    order: (id) => api.order(id),
  })
  const pnlOf = (order: Order): ReturnType<typeof pnl$> => pnl$(order, shared.quote$)
  const table: Orders = {
    open$: open.open$,
    event$,
    order$: open.order$,
    countdown$: (order) => countdown$(order, shared),
    pnl$: pnlOf,
    openPnl$: openPnl$(open.open$, pnlOf, shared.animationFrame$),
    place: placer.place,
    resumed$: placer.resumed$,
  }
  return { table, close: placer.close }
}

/** The browser's animation frames; 60 a second without a screen. */
const animationFrames$ = (): Observable<unknown> =>
  typeof requestAnimationFrame === 'function' ? animationFrames() : interval(16)
