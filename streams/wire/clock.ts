import {
  EMPTY,
  Subject,
  concat,
  defer,
  from,
  merge,
  of,
  timer,
  catchError,
  concatMap,
  expand,
  filter,
  ignoreElements,
  map,
  share,
  switchMap,
  take,
  type Observable,
  type SchedulerLike,
  type Subscription,
} from 'rxjs'
import { clockReply } from '../../contract/socket.ts'
import { whileUp } from '../operators/whileUp.ts'
import type { VenueClock } from '../types.ts'

/** One round: enough probes that one meets an idle line, well under the venue's limit of 20 events a second. */
const probesPerRound = 5
const probePauseMs = 150
/** Quartz drifts by up to 50 ppm, or 3 ms a minute: far below what a countdown shows. */
const roundEveryMs = 60_000
/** If the clock is behind by more than this, the device was suspended: it is stepped. Less is slewed, unnoticed. */
const stepMs = 1000
/** How much faster or slower than real time the clock may run while it is slewed. */
const slewFast = 0.25
const slewSlow = 0.5

export type ClockParts = {
  /** Returns the venue's `{t0, t1, t2}`, or fails. */
  probe: (t0: number) => Promise<unknown> | Observable<unknown>
  /** Rounds run while the wire is up: at once, then periodically. */
  up$: Observable<boolean>
  /** The device may have been suspended: runs another round at once. */
  resume$: Observable<unknown>
  /** `now` of the venue's hello: late by the network delay, but better than nothing. */
  hello$: Observable<number>
  monotonic: () => number
  scheduler: SchedulerLike
}
export type RunningClock = VenueClock & {
  /** Emits after each round with an answered probe: the line works in both directions. */
  answered$: Observable<void>
  synced$: Observable<true>
  stop: () => void
}

type Sample = { offset: number; roundTrip: number }

/**
 * The venue's clock: the midpoint of the fastest of several probes (as in NTP) on top of the device's monotonic clock.
 * The device's wall clock is never read, so setting it changes nothing. `now()` never runs backwards: if it is ahead,
 * it slows down. It is 0 until the first hello or probe.
 */
export function createClock(parts: ClockParts): RunningClock {
  const { monotonic, scheduler } = parts
  const { now, setTarget } = createSlewedTime(monotonic)
  let synced = false
  const answers = new Subject<void>()
  const firstSync = new Subject<true>()

  const converge = (samples: Sample[]): void => {
    const best = samples.reduce((a, b) => (b.roundTrip < a.roundTrip ? b : a))
    setTarget(best.offset)
    if (!synced) {
      synced = true
      firstSync.next(true)
    }
    answers.next()
  }

  const round$ = (): Observable<Sample[]> => {
    const samples: Sample[] = []
    return timer(0, probePauseMs, scheduler).pipe(
      take(probesPerRound),
      concatMap(() => sample$(parts)),
      map((sample) => {
        samples.push(sample)
        return samples
      }),
    )
  }
  const rounds$ = merge(timer(0, roundEveryMs, scheduler), parts.resume$).pipe(switchMap(round$))
  const running: Subscription = parts.up$.pipe(whileUp(rounds$)).subscribe(converge)
  running.add(
    parts.hello$.subscribe((instant) => {
      if (!synced) setTarget(instant - monotonic())
    }),
  )
  const synced$ = defer(() => (synced ? of<true>(true) : firstSync.pipe(take(1))))
  return {
    now,
    get synced() {
      return synced
    },
    second$: concat(synced$.pipe(ignoreElements()), wholeSeconds$(now, scheduler)).pipe(share()),
    answered$: answers.asObservable(),
    synced$,
    stop: () => {
      running.unsubscribe()
      firstSync.complete()
      answers.complete()
    },
  }
}

/** `monotonic` plus an offset that approaches its target so slowly that the time never runs backwards. */
function createSlewedTime(monotonic: () => number) {
  let target: number | undefined
  let applied = 0
  let slewedAt = 0
  let shown = 0
  const now = (): number => {
    if (target === undefined) return 0
    const at = monotonic()
    applied = slewOffset(applied, target, Math.max(0, at - slewedAt))
    slewedAt = at
    shown = Math.max(shown, Math.floor(at + applied))
    return shown
  }
  const setTarget = (offset: number): void => {
    if (target === undefined || offset - applied > stepMs) {
      applied = offset
      slewedAt = monotonic()
    } else {
      now()
    }
    target = offset
  }
  return { now, setTarget }
}

/** Moves an offset toward its target by no more than the slew allows in `elapsed` ms. */
export function slewOffset(applied: number, target: number, elapsed: number): number {
  const error = target - applied
  return error > 0
    ? applied + Math.min(error, elapsed * slewFast)
    : applied - Math.min(-error, elapsed * slewSlow)
}

/** One probe: the venue's midpoint against ours. Emits nothing if the answer is lost or invalid. */
function sample$(parts: ClockParts): Observable<Sample> {
  return defer(() => {
    const sentAt = parts.monotonic()
    return from(parts.probe(Math.round(sentAt))).pipe(
      map((data) => {
        const reply = clockReply.safeParse(data)
        if (!reply.success || reply.data.t2 < reply.data.t1) return undefined
        const receivedAt = parts.monotonic()
        const { t1, t2 } = reply.data
        return {
          offset: (t1 + t2) / 2 - (sentAt + receivedAt) / 2,
          roundTrip: receivedAt - sentAt - (t2 - t1),
        }
      }),
      filter((sample) => sample !== undefined),
      catchError(() => EMPTY),
    )
  })
}

function wholeSeconds$(now: () => number, scheduler: SchedulerLike): Observable<number> {
  const wait$ = (): Observable<number> => timer(1000 - (now() % 1000), scheduler).pipe(map(now))
  return defer(wait$).pipe(expand(wait$))
}
