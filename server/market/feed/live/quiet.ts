import { minuteMs } from '../../../../contract/time.ts'

/** A product without a tick for this long, although its connection works, is named in the log. */
export const quietMs = 5 * minuteMs

type Watched = { source: string; since: number; isNamed: boolean; hasTicked: boolean }

/**
 * Detects products of which nothing arrives while their connection works: the exchange may have renamed or delisted
 * them and accept the subscription all the same.
 */
export class QuietProducts {
  readonly #warn: (id: string, source: string) => void
  readonly #watched = new Map<string, Watched>()

  constructor(warn: (id: string, source: string) => void) {
    this.#warn = warn
  }

  /** @returns what to call for each tick */
  watch(id: string, source: string, now: number): (now: number) => void {
    const watched = { source, since: now, isNamed: false, hasTicked: false }
    this.#watched.set(id, watched)
    return (at) => {
      watched.since = at
      watched.isNamed = false
      watched.hasTicked = true
    }
  }

  /** @param isExpected whether ticks may arrive now: the product is open and its connection works */
  check(id: string, isExpected: boolean, now: number): void {
    const watched = this.#watched.get(id)
    if (!watched || watched.isNamed) return
    if (!isExpected) watched.since = now
    else if (now - watched.since > quietMs) {
      watched.isNamed = true
      this.#warn(id, watched.source)
    }
  }

  /** Whether ticks have arrived, and not only in the past. */
  isHeard(id: string): boolean {
    const watched = this.#watched.get(id)
    return watched !== undefined && watched.hasTicked && !watched.isNamed
  }
}
