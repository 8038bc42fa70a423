import { priceUnits, epochMs, type PriceUnits } from '../../../../contract/units.ts'
import type { WireTick } from '../../../../contract/chain.ts'
import { parsePrice } from '../../../../contract/price.ts'
import type { Step } from '../../../chart/downsample.ts'
import { extentOf, levelsWithin, linearScale, stepPath, type Span } from '../../../chart/scale.ts'

export type StepPlot = {
  /** The line as SVG path data: horizontal and vertical only, because between ticks there is no other price. */
  path: string
  xOf: (at: number) => number
  yOf: (price: number) => number
  /** Prices of the grid lines, in units: three to seven if there is a price. They may be in the padding too. */
  levels: PriceUnits[]
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
const levelsMin = 3

export const stepsOf = (ticks: readonly WireTick[], priceDecimals: number): Step[] =>
  ticks.flatMap(([, at, text]) => {
    const price = parsePrice(text, priceDecimals)
    return price === undefined ? [] : [{ at: epochMs(at), price }]
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
  const allPrices = [...steps.map(({ price }) => price), ...prices]
  const [low, high] = priceRange(allPrices)
  const margin = (high - low) * padding
  const xWithin = linearScale([from, to], [0, width])
  const xOf = (at: number) => xWithin(Math.min(to, Math.max(from, at)))
  const yOf = linearScale([low, high], [height * (1 - padding), height * padding])
  const points = steps.map(({ at, price }) => ({ x: xOf(at), y: yOf(price) }))
  return {
    path: stepPath(points, xOf(Math.max(until, steps.at(-1)?.at ?? until))),
    xOf,
    yOf,
    levels:
      allPrices.length > 0 ? levelsWithin([low - margin, high + margin], levelsMin).map(priceUnits) : [],
  }
}

/** If the price did not move, or hardly, the range has a unit on both sides: a scale needs more than one price. */
function priceRange(prices: readonly number[]): Span {
  if (prices.length === 0) return [0, 2]
  const [low, high] = extentOf(prices)
  return high - low < 2 ? [low - 1, high + 1] : [low, high]
}
