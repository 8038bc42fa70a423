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
