import { Observable, Subject } from 'rxjs'
import type { Wire, WireEvent } from '../../streams/index.ts'

export type Call = { name: 'subscribe' | 'unsubscribe' | 'clock'; payload: unknown; mode?: 'all' | 'latest' }
export type FakeWire = {
  wire: Wire
  /** Simulates that the transport connects or disconnects. */
  up: () => void
  down: (reason?: string, willRetry?: boolean) => void
  attempt: (count: number) => void
  event: (name: string, data: unknown) => void
  /** The venue's subscriptions of this client: cleared when the wire goes down, as in the venue. */
  subscribed: Map<string, 'all' | 'latest'>
  calls: Call[]
  /** How requests are answered; a test can replace these. */
  answer: {
    subscribe: (ids: string[], mode: 'all' | 'latest') => unknown
    clock: (t0: number) => unknown
  }
  /** While true, requests get no answer, as on a cut connection. */
  silent: boolean
  /** Runs at each `up`, before the event is emitted. */
  onUp: () => void
  /** Number of subscriptions to the wire's events: 0 after everything is released. */
  observers: () => number
  connects: number
  isUp: () => boolean
}

/** A wire driven by the test. It rejects requests while down, as the real one does. */
export function fakeWire(): FakeWire {
  const events = new Subject<WireEvent>()
  let up = false
  let observers = 0
  const call = (request: Call, answer: () => unknown): Promise<unknown> => {
    if (!up) return Promise.reject(new Error('the wire is down'))
    transport.calls.push(request)
    return transport.silent ? new Promise(() => undefined) : Promise.resolve(answer())
  }
  const transport: FakeWire = {
    subscribed: new Map(),
    calls: [],
    silent: false,
    onUp: () => undefined,
    connects: 0,
    answer: {
      subscribe: () => ({ ok: true, index: {}, quotes: [], heads: {} }),
      clock: (t0) => ({ t0, t1: t0, t2: t0 }),
    },
    up: () => {
      up = true
      transport.onUp()
      events.next({ kind: 'up' })
    },
    down: (reason = 'transport close', willRetry = true) => {
      up = false
      transport.subscribed.clear()
      events.next({ kind: 'down', reason, willRetry })
    },
    attempt: (count) => events.next({ kind: 'attempt', count }),
    event: (name, data) => events.next({ kind: 'event', name, data }),
    observers: () => observers,
    isUp: () => up,
    wire: {
      event$: new Observable<WireEvent>((subscriber) => {
        observers++
        subscriber.add(() => observers--)
        subscriber.add(events.subscribe(subscriber))
      }),
      subscribe: (ids, mode) =>
        call({ name: 'subscribe', payload: ids, mode }, () => {
          const answer = transport.answer.subscribe(ids, mode)
          const isError = typeof answer === 'object' && answer !== null && 'ok' in answer && !answer.ok
          if (!isError) for (const id of ids) transport.subscribed.set(id, mode)
          return answer
        }),
      unsubscribe: (ids) =>
        call({ name: 'unsubscribe', payload: ids }, () => {
          for (const id of ids) transport.subscribed.delete(id)
          return { ok: true }
        }),
      clock: (t0) => call({ name: 'clock', payload: t0 }, () => transport.answer.clock(t0)),
      connect: () => void transport.connects++,
      disconnect: () => {
        if (up) transport.down('io client disconnect', false)
      },
    },
  }
  return transport
}
