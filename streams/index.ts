import { BehaviorSubject, Subject, animationFrames, asyncScheduler, interval, merge } from 'rxjs'
import type { Observable } from 'rxjs'
import { filter, map } from 'rxjs'
import { assets$ } from './account.ts'
import { createClock } from './clock.ts'
import { createConnection } from './connection.ts'
import { createHeads } from './heads.ts'
import { Hub } from './hub.ts'
import { createInbox } from './inbox.ts'
import { createMessages } from './messages.ts'
import { countdown$ } from './orders/countdown.ts'
import { createOpenOrders } from './orders/open.ts'
import { createPlacing } from './orders/place.ts'
import { openPnl$, pnl$ } from './orders/pnl.ts'
import { candles } from './products/candles.ts'
import { createCatalog } from './products/catalog.ts'
import { createQuotes } from './products/quote.ts'
import { recommended$ } from './products/recommended.ts'
import { createScales } from './products/scales.ts'
import { tick$ } from './products/tick.ts'
import type { Order, Orders, Streams, StreamsParts } from './types.ts'

export * from './types.ts'
export { intentValidMs } from './orders/place.ts'
export { createWire } from './wire.ts'
export type { WireOptions } from './wire.ts'
export { createReplayWire, replayTicks } from './recording/replay.ts'
export type { PlayedProduct } from './recording/played.ts'
export { recordTicks } from './recording/record.ts'

/**
 * Builds every stream of the app over one wire, and connects. Nothing is exported that can be pushed into.
 * `close()` ends all of it: afterwards nothing is subscribed on the wire and no timer is left.
 */
export function createStreams(parts: StreamsParts): Streams {
  const { wire, api } = parts
  const scheduler = parts.scheduler ?? asyncScheduler
  const frame$ = parts.frame$ ?? frames$()
  const wake = new Subject<void>()
  const account = new Subject<void>()
  const wake$ = wake.asObservable()
  const inbox = createInbox(wire)
  const wireUp$ = inbox.transport$.pipe(
    filter((event) => event.kind !== 'attempt'),
    map((event) => event.kind === 'up'),
  )
  const clock = createClock({
    probe: (t0) => wire.clock(t0),
    up$: wireUp$,
    wake$,
    greeting$: inbox.hello$.pipe(map(({ now }) => now)),
    monotonic: parts.monotonic,
    scheduler,
  })
  const owed = new BehaviorSubject(false)
  const connection = createConnection({
    wire,
    transport$: inbox.transport$,
    feed$: inbox.feed$,
    answered$: clock.answered$,
    owed$: owed,
    wake$,
    scheduler,
  })
  const scales = createScales(api)
  const hub = new Hub({ ...inbox, wire, api, scaleOf: scales.of, ...connection, scheduler })
  const watching = hub.watched$.subscribe(owed)
  const heads = createHeads(inbox.feed$)
  const quotes = createQuotes(hub, frame$)
  const live = { up$: connection.up$, account$: account.asObservable(), wake$, scheduler }
  const catalog = createCatalog({ ...live, api, scales, product$: inbox.product$ })
  const orders = createOrders(parts, { ...live, frame$, clock, quote$: quotes.quote$, event$: inbox.order$ })

  connection.connect()
  return {
    connection$: connection.connection$,
    clock,
    catalog$: catalog.catalog$,
    recommended$: recommended$(catalog.catalog$),
    product$: catalog.product$,
    tick$: (id) => tick$(hub, id),
    quote$: quotes.quote$,
    quotes: quotes.store,
    candles: (id, tf) => candles(id, tf, { hub, api, scaleOf: scales.of, scheduler }),
    orders: orders.table,
    seenHeads: heads.seen,
    assets$: assets$({ ...live, assets: () => api.assets(), event$: inbox.assets$ }),
    ledger$: inbox.ledger$,
    messages: createMessages({
      ...live,
      messages: api.messages,
      readMessages: api.readMessages,
      event$: inbox.message$,
    }),
    service$: inbox.service$,
    event$: inbox.member$,
    session$: inbox.session$,
    notice$: inbox.notice$,
    dropped: inbox.dropped,
    reconnect: () => {
      account.next()
      connection.connect()
    },
    wake: () => wake.next(),
    close: () => {
      orders.close()
      quotes.close()
      heads.close()
      watching.unsubscribe()
      hub.close()
      connection.close()
      clock.stop()
      wake.complete()
      account.complete()
    },
  }
}

type OrdersParts = Parameters<typeof countdown$>[1] & {
  account$: Observable<unknown>
  clock: ReturnType<typeof createClock>
  up$: Observable<boolean>
  quote$: Streams['quote$']
  frame$: Observable<unknown>
  event$: Observable<Order>
}

function createOrders(parts: StreamsParts, live: OrdersParts): { table: Orders; close: () => void } {
  const { api, intents, newKey } = parts
  const placing = createPlacing({
    ...live,
    intents,
    newKey,
    place: (key, order) => api.place(key, order),
    orderByKey: (key) => api.orderByKey(key),
    now: () => live.clock.now(),
  })
  const event$ = merge(live.event$, placing.accepted$)
  const open = createOpenOrders({
    ...live,
    event$,
    positions: () => api.positions(),
    order: (id) => api.order(id),
  })
  const pnlOf = (order: Order): ReturnType<typeof pnl$> => pnl$(order, live.quote$)
  const table: Orders = {
    open$: open.open$,
    event$,
    order$: open.order$,
    countdown$: (order) => countdown$(order, live),
    pnl$: pnlOf,
    openPnl$: openPnl$(open.open$, pnlOf, live.frame$),
    place: placing.place,
    resumed$: placing.resumed$,
  }
  return { table, close: placing.close }
}

/** The browser's frames; 60 a second where there is no screen. */
const frames$ = (): Observable<unknown> =>
  typeof requestAnimationFrame === 'function' ? animationFrames() : interval(16)
