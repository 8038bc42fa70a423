import { Observable, Subject, asyncScheduler, interval, merge } from 'rxjs'
import { assets$ } from './account.ts'
import { createLink } from './link.ts'
import type { Live } from './live.ts'
import { createLive } from './live.ts'
import { decodeEvents } from './decode.ts'
import { createMessages } from './messages.ts'
import { pagedList } from './pagedList.ts'
import { createPrices } from './prices.ts'
import { createResource } from './resource.ts'
import { countdown$ } from './orders/countdown.ts'
import { createOpenOrders } from './orders/openOrders.ts'
import { createOrderPlacer } from './orders/place.ts'
import { createPnl, openPnl$ } from './orders/pnl.ts'
import { createCatalog } from './products/catalog.ts'
import { recommended$ } from './products/recommended.ts'
import type { StreamsParts } from './parts.ts'
import type { Order, Orders, Streams, VenueClock } from './types.ts'

export * from './parts.ts'
export * from './types.ts'
export { forEachTick, ticksOf } from './tickRun.ts'
export { placementValidMs } from './orders/place.ts'
export { createWire } from './wire.ts'
export type { WireOptions } from './wire.ts'
export { createReplayWire, replayTicks } from './recording/replay.ts'
export type { ReplayFaults, ReplayOptions, ReplayWire } from './recording/replay.ts'
export type { ReplayClock } from './recording/replayClock.ts'
export { virtualClock } from './recording/virtualClock.ts'
export type { VirtualClock } from './recording/virtualClock.ts'
export type { ReplayProduct } from './recording/replayedProduct.ts'
export { recordTicks } from './recording/record.ts'

/**
 * Builds every stream of the app over one wire, and connects. No Subject is exposed.
 * `close()` ends everything: afterwards nothing is subscribed on the wire and no timer is left.
 */
export function createStreams(parts: StreamsParts): Streams {
  const { wire, api, monotonic } = parts
  const scheduler = parts.scheduler ?? asyncScheduler
  const animationFrame$ = parts.animationFrame$ ?? animationFrames$()
  const resume = new Subject<void>()
  const account = new Subject<void>()
  const resume$ = resume.asObservable()
  const events = decodeEvents(wire)
  const link = createLink({ wire, events, resume$, monotonic, scheduler })
  const { connection, clock } = link
  const prices = createPrices({ wire, api, events, connection, animationFrame$, scheduler, monotonic })
  const heartbeatWatch = link.expectHeartbeats(prices.heartbeatExpected$)
  const whenUp = { up$: connection.up$, resume$, scheduler }
  const live = createLive({ ...whenUp, account$: account.asObservable() })
  const catalog = createCatalog({ api, scales: prices.scales, live, product$: events.product$ })
  const orders = createOrders(parts, {
    ...whenUp,
    live,
    animationFrame$,
    clock,
    quote$: prices.streams.quote$,
    ticksSince$: prices.streams.ticksSince$,
    event$: events.order$,
  })

  const messageParts = { ...api, event$: events.message$ }
  connection.connect()
  return {
    connection$: connection.connection$,
    clock,
    catalog$: catalog.catalog$,
    recommended$: recommended$(catalog.catalog$, scheduler),
    product$: catalog.product$,
    ...prices.streams,
    orders: orders.table,
    assets$: assets$(() => api.assets(), events.assets$, live),
    ledger$: events.ledger$,
    messages: createMessages(messageParts, live),
    messagesOf: (category) => createMessages(messageParts, live, category),
    service$: events.service$,
    event$: events.member$,
    resource: (source) => createResource(source, live),
    pagedList: (source) => pagedList(source, live),
    session$: events.session$,
    notice$: events.notice$,
    recentFrames: () => prices.recentFrames(clock.now() - monotonic()),
    dropped: events.dropped,
    reconnect: () => {
      account.next()
      connection.connect()
    },
    refresh: () => resume.next(),
    close: () => {
      orders.close()
      heartbeatWatch.unsubscribe()
      prices.close()
      link.close()
      resume.complete()
      account.complete()
    },
  }
}

type OrdersParts = Parameters<typeof countdown$>[1] & {
  live: Live
  clock: VenueClock
  up$: Observable<boolean>
  quote$: Streams['quote$']
  ticksSince$: Streams['ticksSince$']
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
  const pnlOf = createPnl(shared)
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

/** The browser's next animation frame, once per subscription; 60 a second without a screen. */
const animationFrames$ = (): Observable<unknown> =>
  typeof requestAnimationFrame === 'function' ? nextAnimationFrame$ : interval(16)

/** Unlike `animationFrames` of RxJS it reads no clocks and requests no frame beyond the first. */
const nextAnimationFrame$ = new Observable<void>((subscriber) => {
  const request = requestAnimationFrame(() => {
    subscriber.next()
    subscriber.complete()
  })
  return () => cancelAnimationFrame(request)
})
