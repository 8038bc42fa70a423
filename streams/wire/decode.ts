import { filter, map, merge, share, type Observable } from 'rxjs'
import { message, serviceMessage, type Message, type ServiceMessage } from '../../contract/content.ts'
import { order, type Order } from '../../contract/orders.ts'
import { assets, ledgerEntry, type Assets, type LedgerEntry } from '../../contract/ledger.ts'
import {
  feedEvent,
  tickerEvent,
  hello,
  noticeEvent,
  productEvent,
  sessionEvent,
  type FeedEvent,
  type TickerEvent,
  type Hello,
  type MemberEvent,
  type ProductEvent,
  type SessionEvent,
} from '../../contract/socket.ts'
import { decodeDelta, decodeTicks, type TickFrame } from '../../contract/tickFrame.ts'
import type { Wire, WireEvent } from '../parts.ts'
import type { Schema, Streams } from '../types.ts'

export type TransportEvent = Exclude<WireEvent, { kind: 'event' }>

/** Every event of the wire, validated once at the boundary: what does not match its schema is counted and dropped. */
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
  member$: Streams['event$']
  dropped: () => number
}

/** Splits a wire's events by name into validated streams. */
export function decodeEvents(wire: Pick<Wire, 'event$'>): DecodedEvents {
  let dropped = 0
  const read$ = <T>(name: string, parse: (data: unknown) => T | undefined): Observable<T> =>
    wire.event$.pipe(
      filter((event) => event.kind === 'event' && event.name === name),
      map((event) => {
        if (event.kind !== 'event') return undefined
        const value = event.isDecoded === true ? (event.data as T) : parse(event.data)
        if (value === undefined) dropped++
        return value
      }),
      filter((value): value is T & ({} | null) => value !== undefined),
      share(),
    )
  const validated$ = <T>(name: string, schema: Schema<T>): Observable<T> =>
    read$(name, (data) => {
      const result = schema.safeParse(data)
      return result.success ? result.data : undefined
    })
  const order$ = validated$('order', order)
  const assets$ = validated$('assets', assets)
  const ledger$ = validated$('ledger', ledgerEntry)
  const message$ = validated$('message', message)
  const service$ = validated$('service', serviceMessage)
  const parsed: Partial<Record<MemberEvent, Observable<unknown>>> = {
    order: order$,
    assets: assets$,
    ledger: ledger$,
    message: message$,
    service: service$,
  }
  const member$ = <T>(name: MemberEvent, schema?: Schema<T>): Observable<T> =>
    schema === undefined
      ? ((parsed[name] ?? read$(name, (data) => data)) as Observable<T>)
      : validated$(name, schema)
  return {
    transport$: wire.event$.pipe(filter((event) => event.kind !== 'event')),
    hello$: validated$('hello', hello),
    // A venue without support for differences, or a replay, sends `ticks`.
    frame$: merge(read$('delta', decodeDelta), read$('ticks', decodeTicks)),
    ticker$: validated$('figures', tickerEvent),
    feed$: validated$('feed', feedEvent),
    product$: validated$('product', productEvent),
    order$,
    assets$,
    ledger$,
    message$,
    service$,
    session$: validated$('session', sessionEvent),
    notice$: validated$('notice', noticeEvent),
    member$,
    dropped: () => dropped,
  }
}
