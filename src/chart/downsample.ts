import type { EpochMs, PriceUnits } from '../../contract/units.ts'

/** A price that is valid from an instant. */
export type Step = { at: EpochMs; price: PriceUnits }

/** More columns than a phone has px: of each column the first, lowest, highest and last are enough. */
const columnCount = 400

type NumberedStep = Step & { n: number }
type Column = { first: NumberedStep; low: NumberedStep; high: NumberedStep; last: NumberedStep }

export type Downsampler = {
  /** Adds the next tick; ticks must be in order. */
  add: (step: Step) => void
  /**
   * The retained steps in order: the price when the window began, and at most four of each column. The same array
   * until another tick is added.
   */
  steps: () => Step[]
}

/** Downsamples the ticks of a time window as they arrive, so that hours of ticks cost no more than the chart needs. */
export function createDownsampler({ from, to }: { from: number; to: number }): Downsampler {
  const columns = new Map<number, Column>()
  const widthMs = Math.max(1, to - from) / columnCount
  let before: Step | undefined
  let count = 0
  let cachedSteps: Step[] | undefined
  return {
    add: ({ at, price }) => {
      if (at > to) return
      cachedSteps = undefined
      if (at < from) {
        before = { at, price }
        return
      }
      const step: NumberedStep = { at, price, n: count++ }
      const index = Math.floor((at - from) / widthMs)
      const column = columns.get(index)
      if (column === undefined) {
        columns.set(index, { first: step, low: step, high: step, last: step })
        return
      }
      if (price < column.low.price) column.low = step
      if (price > column.high.price) column.high = step
      column.last = step
    },
    steps: () => (cachedSteps ??= collectSteps(before, columns)),
  }
}

function collectSteps(before: Step | undefined, columns: ReadonlyMap<number, Column>): Step[] {
  const numbered = [...columns.values()].flatMap(({ first, low, high, last }) =>
    [...new Set([first, low, high, last])].sort((a, b) => a.n - b.n),
  )
  const steps = numbered.map(({ at, price }) => ({ at, price }))
  return before === undefined ? steps : [before, ...steps]
}

/** The steps to draw for a window. */
export function downsample(steps: readonly Step[], window: { from: number; to: number }): Step[] {
  const downsampler = createDownsampler(window)
  for (const step of steps) downsampler.add(step)
  return downsampler.steps()
}
