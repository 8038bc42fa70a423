/** A price this many times the one before it, or its like part, is told: a feed rarely means it. */
const jumpFactor = 10

/**
 * Counts what a feed gave amiss, and tells the operator ever more rarely: the 1st, 2nd, 4th, 8th … of a product. It
 * only tells; what the log takes in is decided elsewhere, by one rule for all.
 */
export class FeedAnomalies {
  readonly #warn: (what: string) => void
  readonly #dropped = new Map<string, number>()
  readonly #jumped = new Map<string, number>()

  constructor(warn: (what: string) => void) {
    this.#warn = warn
  }

  /** Ticks that no log may hold: disorder, no price, no size. */
  get dropped(): number {
    return sum(this.#dropped)
  }
  /** Ticks ten times off the one before. They are valid, so they count; whoever runs the feed should look at it. */
  get jumped(): number {
    return sum(this.#jumped)
  }

  recordDropped(id: string, tick: readonly number[]): void {
    this.#countAndWarn(this.#dropped, id, 'a feed gave a tick that no log may hold', `[${tick.join(', ')}]`)
  }

  /** Looks at the ticks (at, price, size three by three) that were just committed after `price`; 0 is none. */
  recordJumps(id: string, price: number, values: readonly number[]): void {
    let before = price
    for (let i = 1; i < values.length; i += 3) {
      const next = values[i] ?? before
      const isJump = before > 0 && (next >= before * jumpFactor || next * jumpFactor <= before)
      if (isJump) this.#countAndWarn(this.#jumped, id, 'a price jumped tenfold', `from ${before} to ${next}`)
      before = next
    }
  }

  #countAndWarn(counts: Map<string, number>, id: string, what: string, detail: string): void {
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    const isPowerOfTwo = (count & (count - 1)) === 0
    if (isPowerOfTwo) this.#warn(`${id}: ${what}, ${detail}, ${count} so far`)
  }
}

const sum = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((all, n) => all + n, 0)
