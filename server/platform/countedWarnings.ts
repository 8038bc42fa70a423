type Count = { count: number; lastAt: number }

/**
 * Warnings that may be frequent: each kind of one product is logged at its 1st, 2nd, 4th, 8th … occurrence.
 */
export class CountedWarnings {
  readonly #warn: (what: string) => void
  readonly #forgetMs: number
  /** By kind, then by product. */
  readonly #counts = new Map<string, Map<string, Count>>()

  /** @param forgetMs what has not occurred for so long begins again at its 1st occurrence; default: nothing does */
  constructor(warn: (what: string) => void, forgetMs = Number.POSITIVE_INFINITY) {
    this.#warn = warn
    this.#forgetMs = forgetMs
  }

  /**
   * @param what the kind, in a few words
   * @param detail this time's values
   */
  count(id: string, what: string, detail: string): void {
    const count = this.countIfTold(id, what)
    if (count !== null) this.#warn(`${id}: ${what}, ${detail}, ${count} so far`)
  }

  /** Counts one that the caller logs in its own way: how many there were so far; null if this one is not logged. */
  countIfTold(id: string, what: string): number | null {
    const counts = this.#counts.get(what) ?? new Map<string, Count>()
    this.#counts.set(what, counts)
    const now = performance.now()
    const last = counts.get(id)
    const count = last !== undefined && now - last.lastAt < this.#forgetMs ? last.count + 1 : 1
    counts.set(id, { count, lastAt: now })
    const isPowerOfTwo = (count & (count - 1)) === 0
    return isPowerOfTwo ? count : null
  }

  /** How often a kind was counted, over all products. */
  total(what: string): number {
    return [...(this.#counts.get(what)?.values() ?? [])].reduce((total, { count }) => total + count, 0)
  }
}
