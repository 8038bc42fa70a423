import { Subscription, type SchedulerAction, type SchedulerLike } from 'rxjs'

/** What is due at an instant; of those of one instant the first scheduled runs first. */
type Due = { at: number; turn: number; run: () => void }

/**
 * A scheduler whose time advances only on request, for tests and replays. Unlike RxJS's own virtual scheduler it
 * keeps no chain of repeated actions, so it plays days of them, and it can pause for promises between two instants.
 */
export type VirtualClock = SchedulerLike & {
  /** Runs everything due up to `until` (ms), in order, then stops there. */
  advanceTo: (until: number) => void
  /** Like `advanceTo`, and lets promises settle after each instant at which something ran. */
  advanceWithPromises: (until: number) => Promise<void>
  /** Goes to a later instant at once: what was due until then runs there, by the next advance. */
  skipTo: (instant: number) => void
}

/** A clock that a virtual one takes along, such as a test runner's fake timers. It begins at 0 and is at no other time. */
export type OuterClock = { now: () => number; advanceTo: (until: number) => void }

/** With an outer clock promises settle at least this often, ms: its timers may wait for some. */
const outerStepMs = 50

/** How many promises in a row may follow from each other before the next instant. */
const promiseTurns = 12
const settled = Promise.resolve()

/**
 * @param start the clock's first instant, ms
 * @param outer a clock with timers of its own, which are due in their turn
 */
export function virtualClock(start = 0, outer?: OuterClock): VirtualClock {
  let now = start
  let turns = 0
  const queue: Due[] = []
  const enqueue = (delay: number, due: Due): void => {
    due.at = (outer?.now() ?? now) + Math.max(0, delay)
    due.turn = turns++
    queue.splice(firstAfter(queue, due.at), 0, due)
  }
  /** Runs what is due at the next instant up to `until`; false if nothing is. */
  const runNext = (until: number): boolean => {
    if (outer) {
      const step = Math.min(queue[0]?.at ?? until, until, now + outerStepMs)
      outer.advanceTo(step)
      now = Math.max(now, step)
    }
    const next = queue[0]
    if (next === undefined || next.at > until) {
      if (outer && now < until) return true
      now = Math.max(now, until)
      return false
    }
    if (outer && next.at > now) return true
    now = Math.max(now, next.at)
    const turn = turns
    while (queue[0] !== undefined && queue[0].at <= now && queue[0].turn < turn) queue.shift()?.run()
    return true
  }
  return {
    now: () => outer?.now() ?? now,
    schedule: (work, delay?: number, state?: unknown) => {
      const action = new VirtualAction(enqueue, queue, work as Work<unknown>)
      action.schedule(state, delay)
      return action
    },
    skipTo: (instant) => void (now = Math.max(now, instant)),
    advanceTo: (until) => {
      while (runNext(until));
    },
    advanceWithPromises: async (until) => {
      do for (let i = 0; i < promiseTurns; i++) await settled
      while (runNext(until))
    },
  }
}

type Work<T> = (this: SchedulerAction<T>, state?: T) => void

/** A day has a million of them: it is its own place in the queue, and what ends it. */
class VirtualAction<T> extends Subscription implements SchedulerAction<T>, Due {
  at = 0
  turn = 0
  readonly #enqueue: (delay: number, due: Due) => void
  readonly #queue: Due[]
  readonly #work: Work<T>
  #state: T | undefined
  #isDue = false

  constructor(enqueue: (delay: number, due: Due) => void, queue: Due[], work: Work<T>) {
    super()
    this.#enqueue = enqueue
    this.#queue = queue
    this.#work = work
  }

  schedule(state?: T, delay = 0): Subscription {
    if (this.closed) return this
    this.#cancel()
    this.#state = state
    this.#isDue = true
    this.#enqueue(delay, this)
    return this
  }

  run(): void {
    this.#isDue = false
    // oxlint-disable-next-line no-useless-call -- the work reads `this`: it reschedules itself
    this.#work.call(this, this.#state)
    if (!this.#isDue) this.unsubscribe()
  }

  override unsubscribe(): void {
    this.#cancel()
    super.unsubscribe()
  }

  #cancel(): void {
    if (!this.#isDue) return
    this.#isDue = false
    this.#queue.splice(this.#queue.indexOf(this), 1)
  }
}

/** The index of the first entry later than `at`; the queue is sorted by instant. */
function firstAfter(queue: readonly Due[], at: number): number {
  let low = 0
  let high = queue.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((queue[middle]?.at ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low
}
