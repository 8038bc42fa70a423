import type { Followed } from './follower.ts'

/** To the observer: which venue to follow, which edges to watch, and when to measure. */
export type ToObserver =
  | { kind: 'watch'; venue: Followed; urls: readonly string[]; product: string }
  | { kind: 'begin' | 'end' | 'unwatch' }
/** From the observer. */
export type FromObserver =
  | { kind: 'listening'; port: number }
  | { kind: 'watching' | 'unwatched' }
  | ({ kind: 'measured' } & Delays)

/** From each commit, ms. */
export type Delays = {
  /** Until a node that follows the log has applied the flush. */
  appliedMs: number[]
  /** Until a socket of an edge has it. */
  receivedMs: number[]
}
