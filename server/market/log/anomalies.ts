/** A price that rises or falls by this factor in one tick is reported: it is rarely intended. */
const jumpFactor = 10

/**
 * Counts the anomalies of feeds and warns the operator less and less often: at the 1st, 2nd, 4th, 8th … of a product.
 * It only reports; what the log accepts is decided elsewhere, by one rule for all products.
 */
export class FeedAnomalies {
  readonly #warn: (what: string) => void
  readonly #dropped = new Map<string, number>()
  readonly #jumped = new Map<string, number>()

  constructor(warn: (what: string) => void) {
    this.#warn = warn
  }

  /** Invalid ticks: out of order, without a price or without a size. The log drops them. */
  get dropped(): number {
    return sum(this.#dropped)
  }
  /** Ticks whose price jumped tenfold. They are valid, so they count, but the operator should check the feed. */
  get jumped(): number {
    return sum(this.#jumped)
  }

  recordDropped(id: string, tick: readonly number[]): void {
    this.#countAndWarn(this.#dropped, id, 'invalid tick dropped', `[${tick.join(', ')}]`)
  }

  /**
   * Checks the ticks that were just committed, a flat list of (at, price, size).
   * @param price the price before them, 0 if there is none
   */
  recordJumps(id: string, price: number, values: readonly number[]): void {
    let before = price
    for (let i = 1; i < values.length; i += 3) {
      const next = values[i] ?? before
      const isJump = before > 0 && (next >= before * jumpFactor || next * jumpFactor <= before)
      if (isJump) this.#countAndWarn(this.#jumped, id, 'price jumped tenfold', `from ${before} to ${next}`)
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
  [...counts.values()].reduce((total, count) => total + count, 0)
