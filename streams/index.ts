/**
 * The way of a price from the wire to a row of the screen:
 *
 *   wire.event$                 socket events, in order               wire/wire.ts; replay/replay.ts for a recording
 *     → decodeEvents            validated once, split by name         wire/decode.ts
 *     → frame$                  a flush of the venue: runs of ticks, each with its product's number
 *     → hub.dispatch(frame)     to the product by number              prices/hub.ts
 *     → sequencer.receive(run)  the next in `seq`? pass it on         prices/tickSequencer.ts
 *         else backfill         fetch what is missing, then go on     prices/backfill.ts
 *     → run$(id)                every tick, gapless, one run a frame
 *         → candles, ticksSince$   a REST snapshot joined with the runs   prices/candles.ts, operators/joinRuns.ts
 *     → quote$(id)              the newest price, once per animation frame   prices/quote.ts
 *         → <LivePrice>         writes its own text node              src/features/market/LivePrice.tsx
 *
 * The hub subscribes on the wire to exactly the products that somebody observes (prices/subscriptions.ts), and lets go of
 * one two seconds after the last of them left.
 *
 * The way of an order: `orders.place` stores the request under a key, sends it and follows it to its outcome
 * (member/orders/place.ts); `orders.open$` is a snapshot with the `order` events (member/orders/openOrders.ts); countdown
 * and P&L follow from the venue's clock (wire/clock.ts) and `quote$`. Whatever else is the member's comes the same way: a
 * fetch, then events, and again after each connect (member/resource.ts, member/reloadPolicy.ts).
 *
 * types.ts has everything that can be subscribed to, parts.ts what is passed in, operators/ the operators of our own.
 */
import { Observable, Subject, asyncScheduler, interval, merge, of } from 'rxjs'
import { assets$ } from './member/account.ts'
import { createLink } from './wire/link.ts'
import { createReloadPolicy, type ReloadPolicy } from './member/reloadPolicy.ts'
import { decodeEvents } from './wire/decode.ts'
import { createMessages } from './member/messages.ts'
import { pagedList } from './member/pagedList.ts'
import { createPrices } from './prices/prices.ts'
import { createResource } from './member/resource.ts'
import { countdown$ } from './member/orders/countdown.ts'
import { createOpenOrders } from './member/orders/openOrders.ts'
import { ended$, noMemory } from './member/orders/ended.ts'
import { createOrderPlacer } from './member/orders/place.ts'
import { createPnl, openPnl$, pnlSum$ } from './member/orders/pnl.ts'
import { createCatalog } from './prices/catalog.ts'
import { recommended$ } from './prices/recommended.ts'
import type { PollingTransports } from './wire/pollingFallback.ts'
import type { StreamsParts } from './parts.ts'
import type { Order, Orders, Streams, VenueClock } from './types.ts'

export * from './parts.ts'
export * from './types.ts'
export { forEachTick, ticksOf } from './prices/tickRun.ts'
export { placementValidMs } from './member/orders/place.ts'
export { createWire } from './wire/wire.ts'
export type { WireOptions } from './wire/wire.ts'
export type { FindPolling, PollingTransports } from './wire/pollingFallback.ts'
export { aligned } from './replay/align.ts'
export type { Align } from './replay/align.ts'
export { createReplayWire, replayTicks } from './replay/replay.ts'
export type { ReplayFaults, ReplayOptions, ReplayWire } from './replay/replay.ts'
export type { ReplayClock } from './replay/replayClock.ts'
export { virtualClock } from './replay/virtualClock.ts'
export type { OuterClock, VirtualClock } from './replay/virtualClock.ts'
export type { ReplayProduct } from './replay/replayedProduct.ts'
export { recordTicks } from './replay/record.ts'

/** Loads the code of long polling, which few need. */
export const loadPolling = (): Promise<PollingTransports> =>
  import('./wire/pollingTransport.ts').then(({ XHR }) => [XHR])

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
  const reloadPolicy = createReloadPolicy({ ...whenUp, account$: account.asObservable() })
  const catalog = createCatalog({ api, scales: prices.scales, reloadPolicy, product$: events.product$ })
  const orders = createOrders(parts, {
    ...whenUp,
    reloadPolicy,
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
    assets$: assets$(() => api.assets(), events.assets$, reloadPolicy),
    ledger$: events.ledger$,
    messages: createMessages(messageParts, reloadPolicy),
    messagesOf: (category) => createMessages(messageParts, reloadPolicy, category),
    service$: events.service$,
    event$: events.member$,
    resource: (source) => createResource(source, reloadPolicy),
    pagedList: (source) => pagedList(source, reloadPolicy),
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
  reloadPolicy: ReloadPolicy
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
    account$: shared.reloadPolicy.account$,
    placementStore,
    newKey,
    place: (key, order, openedFor) => api.place(key, order, openedFor),
    orderByKey: (key) => api.orderByKey(key),
    now: () => shared.clock.now(),
  })
  const event$ = merge(shared.event$, placer.accepted$)
  const open = createOpenOrders({
    reloadPolicy: shared.reloadPolicy,
    event$,
    positions: () => api.positions(),
    order: (id) => api.order(id),
  })
  const pnlOf = createPnl(shared)
  const table: Orders = {
    open$: open.open$,
    event$,
    order$: open.order$,
    ended$: ended$({
      open$: open.open$,
      event$,
      order: (id) => api.order(id),
      seenOpen: parts.seenOpen ?? noMemory,
      account$: shared.reloadPolicy.account$,
      monotonic: parts.monotonic,
      scheduler: shared.scheduler,
    }),
    countdown$: (order) => countdown$(order, shared),
    pnl$: pnlOf,
    openPnl$: openPnl$(open.open$, pnlOf, shared.animationFrame$),
    pnlSum$: (orders) => pnlSum$(of(orders), pnlOf, shared.animationFrame$),
    place: placer.place,
    outcome$: placer.outcome$,
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
