import { BehaviorSubject, filter, map, type Observable, type SchedulerLike, type Subscription } from 'rxjs'
import { createClock, type RunningClock } from './clock.ts'
import { createConnection, type RunningConnection } from './connection.ts'
import type { DecodedEvents } from './decode.ts'
import type { Wire } from '../parts.ts'

export type LinkParts = {
  wire: Wire
  events: DecodedEvents
  resume$: Observable<unknown>
  monotonic: () => number
  scheduler: SchedulerLike
}

export type Link = {
  connection: RunningConnection
  clock: RunningClock
  /** From now on heartbeats are expected whenever `expected$` is true; without them prices count as stale. */
  expectHeartbeats: (expected$: Observable<boolean>) => Subscription
  close: () => void
}

/** The connection and the venue's clock: the clock's answers show whether the connection works. */
export function createLink({ wire, events, resume$, monotonic, scheduler }: LinkParts): Link {
  const clock = createClock({
    probe: (t0) => wire.clock(t0),
    up$: events.transport$.pipe(
      filter((event) => event.kind !== 'attempt'),
      map((event) => event.kind === 'up'),
    ),
    resume$,
    hello$: events.hello$.pipe(map(({ now }) => now)),
    monotonic,
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
  return {
    connection,
    clock,
    expectHeartbeats: (expected$) => expected$.subscribe(heartbeatExpected),
    close: () => {
      connection.close()
      clock.stop()
    },
  }
}
