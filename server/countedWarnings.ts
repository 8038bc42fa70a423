/** Warnings that may come by the thousand: each kind of one product is told at its 1st, 2nd, 4th, 8th … time. */
export class CountedWarnings {
  readonly #warn: (what: string) => void
  readonly #counts = new Map<string, number>()

  constructor(warn: (what: string) => void) {
    this.#warn = warn
  }

  count(id: string, what: string, detail: string): void {
    const key = `${id}: ${what}`
    const count = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, count)
    const isPowerOfTwo = (count & (count - 1)) === 0
    if (isPowerOfTwo) this.#warn(`${key}, ${detail}, ${count} so far`)
  }

  /** How often something was counted, over all products. */
  total(what: string): number {
    let total = 0
    for (const [key, count] of this.#counts) if (key.endsWith(`: ${what}`)) total += count
    return total
  }
}
