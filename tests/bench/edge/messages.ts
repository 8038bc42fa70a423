import type { Followed } from './follower.ts'

/** To the observer: which edges to watch, and when to measure. */
export type ToObserver =
  | { kind: 'watch'; urls: readonly string[]; product: string; barePort: number }
  | { kind: 'begin'; isBare: boolean }
  | { kind: 'end' }
/** From the observer. */
export type FromObserver =
  | { kind: 'listening'; port: number }
  | { kind: 'watching' }
  | { kind: 'measured'; seen: Seen }

/** To the follower; to the bare receiver only `begin` and `end`. */
export type ToReceiver = { kind: 'follow'; venue: Followed } | { kind: 'begin' | 'end' | 'leave' }
/** From the follower, and from the bare receiver. */
export type FromReceiver = { kind: 'following' | 'left' } | { kind: 'measured'; arrivals: Arrival[] }

/** A flush by its instant, and when it got somewhere: microseconds of the machine's monotonic clock. */
export type Arrival = readonly [at: number, us: number]

/** What the observer saw of each flush. */
export type Seen = {
  /** PostgreSQL's answer that it is committed, on its way to the leader. */
  committed: Arrival[]
  /** At a socket of an edge. */
  received: Arrival[]
}

/** From each commit, ms. */
export type Delays = {
  /** Until a node that follows the log has applied the flush: it is in the product states. */
  appliedMs: number[]
  /** Until a socket of an edge has it. */
  receivedMs: number[]
  /** Until a process without any work has as many bytes, sent by one without any work over the same ways. */
  bareMs: number[]
}

/** The time from each commit to the arrivals of its flush, ms. */
export function delaysFrom(committed: readonly Arrival[], arrivals: readonly Arrival[]): number[] {
  const committedUs = new Map(committed)
  return arrivals.flatMap(([at, us]) => {
    const from = committedUs.get(at)
    return from === undefined ? [] : [(us - from) / 1000]
  })
}
