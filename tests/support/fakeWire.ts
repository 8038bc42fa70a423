import { Observable, Subject } from 'rxjs'
import type { Wire, WireEvent } from '../../streams/index.ts'

export type Call = { name: 'subscribe' | 'unsubscribe' | 'clock'; payload: unknown; mode?: 'all' | 'latest' }
export type FakeWire = {
  wire: Wire
  /** The transport came up, or went down. */
  up: () => void
  down: (reason?: string, willRetry?: boolean) => void
  attempt: (count: number) => void
  event: (name: string, data: unknown) => void
  /** What the venue would be sending: cleared when the wire goes down, as the venue's own list is. */
  subscribed: Map<string, 'all' | 'latest'>
  calls: Call[]
  /** How calls are answered; a test puts its own venue here. */
  answer: {
    subscribe: (ids: string[], mode: 'all' | 'latest') => unknown
    clock: (t0: number) => unknown
  }
  /** While true calls stay without an answer, as on a line that is cut. */
  silent: boolean
  /** Runs at each `up`, before anyone hears of it. */
  onUp: () => void
  /** Subscriptions on the wire's events: 0 once everything let go. */
  observers: () => number
  connects: number
  isUp: () => boolean
}

/** A wire driven by hand. It refuses calls while down, as the real one does. */
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
