import { CountedWarnings } from '../../platform/countedWarnings.ts'

/** A price that rises or falls by this factor in one tick is reported: it is rarely intended. */
const jumpFactor = 10
const dropped = 'invalid tick dropped'
const jumped = 'price jumped tenfold'

/**
 * Counts the anomalies of feeds and warns the operator less and less often: at the 1st, 2nd, 4th, 8th … of a product.
 * It only reports; what the log accepts is decided elsewhere, by one rule for all products.
 */
export class FeedAnomalies {
  readonly #warnings: CountedWarnings

  constructor(warn: (what: string) => void) {
    this.#warnings = new CountedWarnings(warn)
  }

  /** Invalid ticks: out of order, without a price or without a size. The log drops them. */
  get dropped(): number {
    return this.#warnings.total(dropped)
  }
  /** Ticks whose price jumped tenfold. They are valid, so they count, but the operator should check the feed. */
  get jumped(): number {
    return this.#warnings.total(jumped)
  }

  recordDropped(id: string, tick: readonly number[]): void {
    this.#warnings.count(id, dropped, `[${tick.join(', ')}]`)
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
      if (isJump) this.#warnings.count(id, jumped, `from ${before} to ${next}`)
      before = next
    }
  }
}
