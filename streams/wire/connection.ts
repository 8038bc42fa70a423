import {
  BehaviorSubject,
  EMPTY,
  Observable,
  Subject,
  combineLatest,
  merge,
  of,
  timer,
  distinctUntilChanged,
  filter,
  ignoreElements,
  map,
  switchMap,
  tap,
  type SchedulerLike,
} from 'rxjs'
import { backoffMs } from '../../contract/backoff.ts'
import { heartbeatTimeoutMs } from '../../contract/constants.ts'
import { assertNever } from '../../contract/units.ts'
import type { TransportEvent } from './decode.ts'
import { FunctionSubject } from '../prices/functionObservable.ts'
import { markStale } from '../operators/markStale.ts'
import type { Wire } from '../parts.ts'
import type { Connection, Replaying } from '../types.ts'

/**
 * Nothing received for this long although "up": a broken connection that TCP has not detected. Reconnecting detects it
 * sooner.
 */
const reopenAfterStaleMs = 6000
/** The venue closed the socket (a session ended): reconnect after a delay that grows each time. */
const serverCloseDelayMinMs = 1000
const serverCloseDelayMaxMs = 30_000

export type ConnectionEvent =
  | TransportEvent
  | { kind: 'connect' }
  | { kind: 'close' }
  | { kind: 'stale'; stale: boolean }
  | { kind: 'heartbeat'; at: number }

export const notConnected: Connection = {
  state: 'idle',
  stale: false,
  lastHeartbeatAt: undefined,
  attempt: 0,
}

/** The reducer of the connection: its state, and whether prices may be old. */
export function nextConnection(before: Connection, event: ConnectionEvent): Connection {
  switch (event.kind) {
    case 'connect':
      return { ...before, state: connectState(before), stale: false, attempt: 0 }
    case 'close':
      return { ...before, state: 'idle', stale: false, attempt: 0 }
    case 'up':
      return { ...before, state: 'online', stale: false, attempt: 0 }
    case 'attempt':
      return { ...before, attempt: event.count }
    case 'down':
      return { ...before, state: downState(before, event), stale: false }
    case 'stale':
      return { ...before, stale: before.state === 'online' && event.stale }
    case 'heartbeat':
      return { ...before, lastHeartbeatAt: event.at }
    default:
      return assertNever(event)
  }
}

const connectState = ({ state }: Connection): Connection['state'] =>
  state === 'online' || state === 'reconnecting' ? 'reconnecting' : 'connecting'

function downState(before: Connection, event: { reason: string; willRetry: boolean }): Connection['state'] {
  if (before.state === 'idle') return 'idle'
  return event.reason.startsWith('rejected') ? 'rejected' : 'reconnecting'
}

export type ConnectionParts = {
  wire: Pick<Wire, 'connect' | 'disconnect'>
  transport$: Observable<TransportEvent>
  /** Heartbeats of the venue, with its time. */
  feed$: Observable<{ at: number }>
  /** Emits when a call was answered, which proves that the connection works. */
  answered$: Observable<unknown>
  /** Whether heartbeats are due: the venue sends them for subscribed products. */
  heartbeatExpected$: Observable<boolean>
  /** The device may have been suspended: everything is stale until a call is answered. */
  resume$: Observable<unknown>
  scheduler: SchedulerLike
}
export type RunningConnection = {
  connection$: Replaying<Connection>
  up$: Observable<boolean>
  stale$: Observable<boolean>
  readonly current: Connection
  connect: () => void
  close: () => void
}

/** Keeps the wire open and publishes its state. */
export function createConnection(parts: ConnectionParts): RunningConnection {
  const { wire, scheduler } = parts
  const state = new BehaviorSubject<Connection>(notConnected)
  const commands = new Subject<ConnectionEvent>()
  let newest = notConnected
  // Most are interested in nothing that a heartbeat changes, and there is one a second.
  const heartbeats = new FunctionSubject<unknown>()
  const running = parts.feed$.subscribe(({ at }) => {
    newest = nextConnection(newest, { kind: 'heartbeat', at })
    heartbeats.next(newest)
  })
  const events$ = merge(commands, parts.transport$, staleEvents$(parts, state))
  running.add(
    events$.subscribe((event) => {
      newest = nextConnection(newest, event)
      state.next(newest)
    }),
  )
  const current$ = merge(state, heartbeats).pipe(
    map(() => newest),
    distinctUntilChanged(isSameConnection),
  )
  const up$ = state.pipe(
    map((connection) => connection.state === 'online'),
    distinctUntilChanged(),
  )
  const stale$ = state.pipe(
    map((connection) => connection.stale),
    distinctUntilChanged(),
  )
  running.add(
    stale$.pipe(switchMap((stale) => (stale ? timer(reopenAfterStaleMs, scheduler) : []))).subscribe(reopen),
  )
  running.add(reconnectAfterClose$(parts).subscribe(() => wire.connect()))

  function reopen(): void {
    wire.disconnect()
    commands.next({ kind: 'connect' })
    wire.connect()
  }
  return {
    connection$: Object.assign(current$, { newest: () => newest }),
    up$,
    stale$,
    get current() {
      return newest
    },
    connect: reopen,
    close: () => {
      commands.next({ kind: 'close' })
      wire.disconnect()
      running.unsubscribe()
      state.complete()
    },
  }
}

const startingNow = (source$: Observable<unknown>): Observable<unknown> =>
  new Observable((subscriber) => {
    subscriber.next(undefined)
    source$.subscribe(subscriber)
  })

/** Stale after missed heartbeats, and from a resume until a call is answered. */
function staleEvents$(parts: ConnectionParts, state: Observable<Connection>): Observable<ConnectionEvent> {
  const online$ = state.pipe(
    map((connection) => connection.state === 'online'),
    distinctUntilChanged(),
  )
  const heartbeats$ = startingNow(parts.feed$).pipe(markStale(heartbeatTimeoutMs, parts.scheduler))
  const silent$ = combineLatest([online$, parts.heartbeatExpected$]).pipe(
    map(([online, isExpected]) => online && isExpected),
    distinctUntilChanged(),
    switchMap((isExpected) => (isExpected ? heartbeats$ : of(false))),
  )
  // A heartbeat proves nothing: it may have been buffered while the device was suspended.
  const proof$ = merge(parts.answered$, online$)
  const unproven$ = merge(parts.resume$.pipe(map(() => true)), proof$.pipe(map(() => false)))
  return combineLatest([silent$, unproven$]).pipe(
    map(([silent, unproven]) => silent || unproven),
    distinctUntilChanged(),
    map((stale) => ({ kind: 'stale', stale })),
  )
}

/** Emits when to reconnect after the venue closed the socket, with exponential backoff. */
function reconnectAfterClose$(parts: ConnectionParts): Observable<unknown> {
  let closesInRow = 0
  const resetBackoff$ = timer(serverCloseDelayMaxMs, parts.scheduler).pipe(
    tap(() => (closesInRow = 0)),
    ignoreElements(),
  )
  return parts.transport$.pipe(
    filter((event) => event.kind !== 'attempt'),
    switchMap((event) => {
      if (event.kind === 'up') return resetBackoff$
      if (event.willRetry || event.reason !== 'io server disconnect') return EMPTY
      const delayMs = backoffMs(++closesInRow, serverCloseDelayMinMs, serverCloseDelayMaxMs)
      return timer(delayMs, parts.scheduler)
    }),
  )
}

const isSameConnection = (a: Connection, b: Connection): boolean =>
  a.state === b.state &&
  a.stale === b.stale &&
  a.attempt === b.attempt &&
  a.lastHeartbeatAt === b.lastHeartbeatAt
