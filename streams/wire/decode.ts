import { Subscription, type Observable } from 'rxjs'
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
import { shared } from '../prices/functionObservable.ts'
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
  const on = splitByName(wire.event$)
  const read$ = <T>(parsers: Record<string, (data: unknown) => T | undefined>): Observable<T> =>
    shared((emit) => {
      const reading = new Subscription()
      for (const [name, parse] of Object.entries(parsers))
        reading.add(
          on(name, ({ data, isDecoded }) => {
            const value = isDecoded === true ? (data as T) : parse(data)
            if (value === undefined) dropped++
            else emit(value)
          }),
        )
      return reading
    })
  const validated$ = <T>(name: string, schema: Schema<T>): Observable<T> =>
    read$({
      [name]: (data) => {
        const result = schema.safeParse(data)
        return result.success ? result.data : undefined
      },
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
      ? ((parsed[name] ?? read$({ [name]: (data) => data })) as Observable<T>)
      : validated$(name, schema)
  return {
    transport$: shared((emit) =>
      wire.event$.subscribe((event) => {
        if (event.kind !== 'event') emit(event)
      }),
    ),
    hello$: validated$('hello', hello),
    // A venue without support for differences, or a replay, sends `ticks`.
    frame$: read$({ delta: decodeDelta, ticks: decodeTicks }),
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

type NamedEvent = Extract<WireEvent, { kind: 'event' }>
type Read = (event: NamedEvent) => void

/** Finds an event's readers by one look-up: with a `filter` for each name, all of them would be asked about every event. */
function splitByName(event$: Observable<WireEvent>) {
  const readers = new Map<string, readonly Read[]>()
  const readersOf = (name: string): readonly Read[] => readers.get(name) ?? []
  const listening$ = shared<never>(() =>
    event$.subscribe((event) => {
      if (event.kind === 'event') for (const read of readersOf(event.name)) read(event)
    }),
  )
  const on = (name: string, read: Read): Subscription => {
    readers.set(name, [...readersOf(name), read])
    const listening = listening$.subscribe()
    listening.add(() =>
      readers.set(
        name,
        readersOf(name).filter((other) => other !== read),
      ),
    )
    return listening
  }
  return on
}
