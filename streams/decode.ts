import { filter, map, share } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Message, ServiceMessage } from '../contract/content.ts'
import { message, serviceMessage } from '../contract/content.ts'
import type { Order } from '../contract/orders.ts'
import { order } from '../contract/orders.ts'
import type { Assets, LedgerEntry } from '../contract/session.ts'
import { assets, ledgerEntry } from '../contract/session.ts'
import type {
  FeedEvent,
  TickerEvent,
  Hello,
  MemberEvent,
  ProductEvent,
  SessionEvent,
  TickFrame,
} from '../contract/socket.ts'
import {
  decodeTicks,
  feedEvent,
  tickerEvent,
  hello,
  noticeEvent,
  productEvent,
  sessionEvent,
} from '../contract/socket.ts'
import type { Streams, Wire, WireEvent } from './types.ts'

type Schema<T> = { safeParse(data: unknown): { success: true; data: T } | { success: false } }
export type TransportEvent = Exclude<WireEvent, { kind: 'event' }>

/** Every event of the wire, read once at the edge: what does not fit its schema is counted and goes no further. */
export type DecodedEvents = {
  transport$: Observable<TransportEvent>
  hello$: Observable<Hello>
  frame$: Observable<TickFrame>
  ticker$: Observable<TickerEvent>
  feed$: Observable<FeedEvent>
  product$: Observable<ProductEvent>
  order$: Observable<Order>
  assets$: Observable<Assets>
  ledger$: Observable<LedgerEntry>
  message$: Observable<Message>
  service$: Observable<ServiceMessage>
  session$: Observable<SessionEvent>
  notice$: Streams['notice$']
  member$: (name: MemberEvent) => Observable<unknown>
  dropped: () => number
}

/** Sorts a wire's events by name into checked streams. */
export function decodeEvents(wire: Pick<Wire, 'event$'>): DecodedEvents {
  let dropped = 0
  const read$ = <T>(name: string, parse: (data: unknown) => T | undefined): Observable<T> =>
    wire.event$.pipe(
      filter((event) => event.kind === 'event' && event.name === name),
      map((event) => {
        const value = event.kind === 'event' ? parse(event.data) : undefined
        if (value === undefined) dropped++
        return value
      }),
      filter((value): value is T & ({} | null) => value !== undefined),
      share(),
    )
  const checked$ = <T>(name: string, schema: Schema<T>): Observable<T> =>
    read$(name, (data) => {
      const result = schema.safeParse(data)
      return result.success ? result.data : undefined
    })
  const order$ = checked$('order', order)
  const assets$ = checked$('assets', assets)
  const ledger$ = checked$('ledger', ledgerEntry)
  const message$ = checked$('message', message)
  const service$ = checked$('service', serviceMessage)
  const parsed: Partial<Record<MemberEvent, Observable<unknown>>> = {
    order: order$,
    assets: assets$,
    ledger: ledger$,
    message: message$,
    service: service$,
  }
  const member$ = (name: MemberEvent): Observable<unknown> => parsed[name] ?? read$(name, (data) => data)
  return {
    transport$: wire.event$.pipe(filter((event) => event.kind !== 'event')),
    hello$: checked$('hello', hello),
    frame$: read$('ticks', decodeTicks),
    ticker$: checked$('figures', tickerEvent),
    feed$: checked$('feed', feedEvent),
    product$: checked$('product', productEvent),
    order$,
    assets$,
    ledger$,
    message$,
    service$,
    session$: checked$('session', sessionEvent),
    notice$: checked$('notice', noticeEvent),
    member$,
    dropped: () => dropped,
  }
}
