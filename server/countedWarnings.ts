/** Warnings that may be frequent: each kind of one product is logged at its 1st, 2nd, 4th, 8th … occurrence. */
export class CountedWarnings {
  readonly #warn: (what: string) => void
  /** By kind, then by product. */
  readonly #counts = new Map<string, Map<string, number>>()

  constructor(warn: (what: string) => void) {
    this.#warn = warn
  }

  /**
   * @param what the kind, in a few words
   * @param detail this time's values
   */
  count(id: string, what: string, detail: string): void {
    const counts = this.#counts.get(what) ?? new Map<string, number>()
    this.#counts.set(what, counts)
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    const isPowerOfTwo = (count & (count - 1)) === 0
    if (isPowerOfTwo) this.#warn(`${id}: ${what}, ${detail}, ${count} so far`)
  }

  /** How often a kind was counted, over all products. */
  total(what: string): number {
    return [...(this.#counts.get(what)?.values() ?? [])].reduce((total, count) => total + count, 0)
  }
}
