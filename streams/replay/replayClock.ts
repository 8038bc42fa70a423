import { Subject, type Observable, type SchedulerLike } from 'rxjs'

/** Where a replay is, in recorded milliseconds, and how fast it goes. */
export type ReplayClock = {
  now: () => number
  pause: () => void
  /** Resumes; the first call starts a clock that was created paused. */
  resume: () => void
  readonly isPaused: boolean
  speed: number
  /** Continues from a later instant. @throws RangeError if `at` is earlier than `now()` */
  seek: (at: number) => void
  /** Emits after each of these changes: instants are now reached at other times. */
  changed$: Observable<void>
}

export type ReplayClockOptions = {
  /** Recorded milliseconds per millisecond, more than 0. `Infinity`: everything at once, then on from `end` at 1. */
  speed: number
  scheduler: SchedulerLike
  /** First and last recorded instant. */
  origin: number
  end: number
  isPaused?: boolean
}

/** @throws RangeError if `speed` is not more than 0, here or when it is set */
export function createReplayClock({
  speed: initial,
  scheduler,
  origin,
  end,
  isPaused = false,
}: ReplayClockOptions): ReplayClock {
  let speed = validSpeed(initial)
  let paused = isPaused
  let [at, since] = [origin, scheduler.now()]
  const now = (): number => {
    const elapsed = scheduler.now() - since
    if (paused || elapsed === 0) return at
    return speed < Infinity ? Math.floor(at + elapsed * speed) : Math.max(at, end) + elapsed
  }
  const changes = new Subject<void>()
  const restart = (from: number, change: () => void = () => undefined): void => {
    ;[at, since] = [from, scheduler.now()]
    change()
    changes.next()
  }
  return {
    now,
    changed$: changes.asObservable(),
    pause: () => restart(now(), () => void (paused = true)),
    resume: () => restart(now(), () => void (paused = false)),
    get isPaused() {
      return paused
    },
    get speed() {
      return speed
    },
    set speed(next) {
      const valid = validSpeed(next)
      restart(now(), () => void (speed = valid))
    },
    seek: (to) => {
      if (!(to >= now())) throw new RangeError(`a replay only seeks forward: ${to} is before ${now()}`)
      restart(to)
    },
  }
}

/** @throws RangeError if it is not more than 0 */
export function validSpeed(speed: number): number {
  if (!(speed > 0)) throw new RangeError(`A replay's speed is more than 0, not ${speed}.`)
  return speed
}
