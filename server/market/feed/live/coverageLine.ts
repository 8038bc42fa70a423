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

/** The coverage state of one connection of a product. */
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

/** A connection sends fewer trades than this in another order, or again. */
const reorderMax = 64

/** Whether a known number on time is too low to be repeated by its line, or sent by another before: a new sequence. */
export const isTooLow = (
  order: number,
  { newestOrder }: CoverageLine,
  lines: readonly CoverageLine[],
  last: number,
): boolean =>
  order <= newestOrder
    ? order <= newestOrder - reorderMax
    : order <= last - reorderMax && lines.every((each) => each.newestOrder < order)
