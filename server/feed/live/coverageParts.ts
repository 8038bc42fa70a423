export type CoverageOptions = {
  /** Trades are numbered without holes; a quote is a state, so one that is missing cannot be noticed. */
  isNumbered: boolean
  /** Silence that is still made up for, ms; a longer one is a gap. */
  limitMs: number
  startAt: number
  /** Counts an anomaly of the source. */
  count: (what: string, detail: string) => void
  /** The source is received in full again, with or without a gap, after an interruption (from, to]. */
  resumed: (from: number, to: number, isGap: boolean) => void
}

/** What the coverage of a product knows of one line. */
export type CoverageLine = {
  joinedAt: number | null
  /** Whether it is shown that nothing was missed between the covered time and this line's first tick. */
  isLinked: boolean
  newestOrder: number
  newestSourceAt: number
}

export const newCoverageLine = (): CoverageLine => ({
  joinedAt: null,
  isLinked: false,
  newestOrder: Number.NEGATIVE_INFINITY,
  newestSourceAt: Number.NEGATIVE_INFINITY,
})

/** The newest instant of a product's ticks. It starts anew at each gap, so that a wrong one holds up nothing for long. */
export class NewestInstant {
  /** What is older is dropped. */
  sinceGap = Number.NEGATIVE_INFINITY
  #beforeGap = Number.NEGATIVE_INFINITY

  /** Two gaps later a wrong one is forgotten here too. */
  get ever(): number {
    return Math.max(this.sinceGap, this.#beforeGap)
  }

  startAnew(): void {
    if (Number.isFinite(this.sinceGap)) this.#beforeGap = this.sinceGap
    this.sinceGap = Number.NEGATIVE_INFINITY
  }
}

/** Quotes that are older than the newest one: a single one is out of order, several in order show that it was wrong. */
export class OlderQuotes {
  #newest = Number.POSITIVE_INFINITY

  /** Whether an older quote follows another one. */
  follows(order: number): boolean {
    const before = this.#newest
    this.#newest = order
    return order > before
  }

  /** A newer one has arrived. */
  end(): void {
    this.#newest = Number.POSITIVE_INFINITY
  }
}
