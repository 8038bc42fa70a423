import type { WireTick } from '../../../../contract/chain.ts'
import { parsePrice } from '../../../../contract/price.ts'
import type { Step } from './downsample.ts'

export type StepPlot = {
  /** The line as SVG path data: horizontal and vertical only, because between ticks there is no other price. */
  path: string
  xOf: (at: number) => number
  yOf: (price: number) => number
  /** Prices of the grid lines, in units. */
  levels: number[]
}

export type Box = { from: number; to: number; width: number; height: number }
export type PlotOptions = {
  /** Until when the last price is known to be valid; by default the end of the window. */
  until?: number
  /** Further prices that the scale must include. */
  prices?: readonly number[]
}

/** The fraction of the height left empty above and below. */
const padding = 0.1

export const stepsOf = (ticks: readonly WireTick[], priceDecimals: number): Step[] =>
  ticks.flatMap(([, at, text]) => {
    const price = parsePrice(text, priceDecimals)
    return price === undefined ? [] : [{ at, price }]
  })

/** An order's holding period with a tenth of it before and after, so that its markers are clear of the edges. */
export function windowOf({ acceptedAt, closeAt }: { acceptedAt: number; closeAt: number }) {
  const lead = Math.round((closeAt - acceptedAt) / 10)
  return { from: acceptedAt - lead, to: closeAt + lead }
}

/** Plots downsampled ticks in a box: `from` to `to` horizontally, with {@link padding} above and below. */
export function plotSteps(steps: readonly Step[], box: Box, options: PlotOptions = {}): StepPlot {
  const { from, to, width, height } = box
  const { until = to, prices = [] } = options
  const { low, high } = priceRange([...steps.map(({ price }) => price), ...prices])
  const span = high - low
  const xOf = (at: number) => ((Math.min(to, Math.max(from, at)) - from) / Math.max(1, to - from)) * width
  const yOf = (price: number) => height * (1 - padding - ((1 - 2 * padding) * (price - low)) / span)
  let path = ''
  for (const { at, price } of steps) {
    const x = xOf(at).toFixed(1)
    const y = yOf(price).toFixed(1)
    path += path === '' ? `M${x} ${y}` : `H${x}V${y}`
  }
  const last = steps.at(-1)
  if (last !== undefined) path += `H${xOf(Math.max(until, last.at)).toFixed(1)}`
  const hasPrices = steps.length > 0 || prices.length > 0
  return { path, xOf, yOf, levels: hasPrices ? levelsOf(low, high) : [] }
}

/** If the price did not move, or hardly, the range has a unit on both sides: a scale needs more than one price. */
function priceRange(prices: readonly number[]): { low: number; high: number } {
  if (prices.length === 0) return { low: 0, high: 2 }
  let low = Infinity
  let high = -Infinity
  for (const price of prices) {
    low = Math.min(low, price)
    high = Math.max(high, price)
  }
  return high - low < 2 ? { low: low - 1, high: high + 1 } : { low, high }
}

const levelsMin = 3

/** Three to seven round prices, as far apart as possible; they may be in the padding too. */
function levelsOf(low: number, high: number): number[] {
  const bottom = low - (high - low) * padding
  const top = high + (high - low) * padding
  const multiplesOf = (step: number): number[] => {
    const first = Math.ceil(bottom / step)
    return Array.from({ length: Math.floor(top / step) - first + 1 }, (_, i) => (first + i) * step)
  }
  for (let power = 10 ** Math.ceil(Math.log10(high - low)); power >= 1; power /= 10) {
    for (const n of [5, 2, 1]) {
      const levels = multiplesOf(n * power)
      if (levels.length >= levelsMin) return levels
    }
  }
  return multiplesOf(1)
}

/** Moves two label centres apart if the labels would overlap, and keeps both within `min` and `max`. */
export function separateLabels(
  [a, b]: readonly [number, number],
  gap: number,
  { min, max }: { min: number; max: number },
): [number, number] {
  const clamp = (x: number, least: number, most: number) => Math.min(most, Math.max(least, x))
  const push = Math.max(0, gap - (b - a)) / 2
  const left = clamp(a - push, min, max - gap)
  return [left, clamp(b + push, left + gap, max)]
}
