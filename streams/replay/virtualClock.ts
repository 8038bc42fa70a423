import { Subscription, type SchedulerAction, type SchedulerLike } from 'rxjs'
import type { Repeat } from './repeat.ts'

/** What is due at an instant; of those of one instant the first scheduled runs first. */
type Due = { at: number; turn: number; isQuiet: boolean; run: () => void }

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

/** A virtual clock that pauses for promises only where some may have anything to do, which takes a third of the time. */
export type MarketClock = VirtualClock & {
  /** The same clock for work from which no promise follows, unless it expects some. */
  quiet: SchedulerLike & { repeat: Repeat }
  /** Somebody was called from whom promises may follow: they settle before the next instant. */
  expectPromises: () => void
}

/** A clock that a virtual one takes along, such as a test runner's fake timers. It begins at 0 and is at no other time. */
export type OuterClock = {
  now: () => number
  advanceTo: (until: number) => void
  /** Puts its date forward by so many ms that its timers do not notice, as on a device that slept. */
  sleep?: (ms: number) => void
}

/** With an outer clock promises settle at least this often, ms: its timers may wait for some. */
const outerStepMs = 50

/** How many promises in a row may follow from each other before the next instant. */
const promiseTurns = 12
const settled = Promise.resolve()
/** A loop of `await` takes half as long again, and a played day has half a million of these. */
const promisesSettled = (): Promise<void> =>
  new Promise((resolve) => {
    let turns = 1
    const turn = (): void => {
      if (++turns === promiseTurns) resolve()
      else void settled.then(turn)
    }
    void settled.then(turn)
  })

/**
 * @param start the clock's first instant, ms
 * @param outer a clock with timers of its own, which are due in their turn
 */
export function virtualClock(start = 0, outer?: OuterClock): VirtualClock {
  return marketClock(start, outer)
}

export function marketClock(start = 0, outer?: OuterClock): MarketClock {
  let now = start
  let turns = 0
  let isPromising = true
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
    for (let due = queue[0]; due && due.at <= now && due.turn < turn; due = queue[0]) {
      queue.shift()
      if (!due.isQuiet) isPromising = true
      due.run()
    }
    return true
  }
  const clockNow = (): number => outer?.now() ?? now
  const scheduling =
    (isQuiet: boolean): SchedulerLike['schedule'] =>
    (work, delay?: number, state?: unknown) => {
      const action = new VirtualAction(enqueue, queue, work as Work<unknown>, isQuiet)
      action.schedule(state, delay)
      return action
    }
  return {
    now: clockNow,
    schedule: scheduling(false),
    quiet: {
      now: clockNow,
      schedule: scheduling(true),
      repeat: (firstMs, work) =>
        scheduling(true)(function () {
          const next = work()
          if (next !== undefined) this.schedule(undefined, next)
        }, firstMs),
    },
    expectPromises: () => void (isPromising = true),
    skipTo: (instant) => void (now = Math.max(now, instant)),
    advanceTo: (until) => {
      while (runNext(until));
    },
    advanceWithPromises: async (until) => {
      isPromising = true
      do {
        if (isPromising || outer) {
          isPromising = false
          await promisesSettled()
        }
      } while (runNext(until))
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
  readonly isQuiet: boolean
  #state: T | undefined
  #isDue = false

  constructor(enqueue: (delay: number, due: Due) => void, queue: Due[], work: Work<T>, isQuiet: boolean) {
    super()
    this.isQuiet = isQuiet
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
