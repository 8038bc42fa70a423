/** A price that stood from an instant on; `price` in integer units. */
export type Step = { at: number; price: number }

/** More than a phone has px across: of each column the first, lowest, highest and last are enough. */
const columnCount = 400

type NumberedStep = Step & { n: number }
type Column = { first: NumberedStep; low: NumberedStep; high: NumberedStep; last: NumberedStep }

export type Downsampler = {
  /** Takes the next tick; they come in order. */
  add: (step: Step) => void
  /**
   * What is kept, in order: the price that stood when the window began, and at most four of each column. The same
   * array until another tick is kept.
   */
  steps: () => Step[]
}

/** The ticks of a window of time, thinned as they come, so that hours of them are no more than a picture needs. */
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

/** Ticks as they are drawn in a window. */
export function downsample(steps: readonly Step[], window: { from: number; to: number }): Step[] {
  const downsampler = createDownsampler(window)
  for (const step of steps) downsampler.add(step)
  return downsampler.steps()
}
