import type { WireTick } from '../../../../contract/chain.ts'
import { parsePrice } from '../../../../contract/price.ts'

/** A price that stood from an instant on; `price` in integer units. */
export type Step = { at: number; price: number }

export type StepPlot = {
  /** The line as SVG path data: level, then upright, never sloped, because between ticks there was no price. */
  path: string
  xOf: (at: number) => number
  yOf: (price: number) => number
  /** Prices of the grid, in units. */
  levels: number[]
}

/** More points than a phone has columns: of each column the first, lowest, highest and last are enough. */
const columnsMax = 400

export const stepsOf = (ticks: readonly WireTick[], priceDecimals: number): Step[] =>
  ticks.flatMap(([, at, text]) => {
    const price = parsePrice(text, priceDecimals)
    return price === undefined ? [] : [{ at, price }]
  })

/** Lays ticks out in a box: from `from` to `to` across, with a tenth of air above and below. */
export function plotSteps(
  steps: readonly Step[],
  { from, to, width, height }: { from: number; to: number; width: number; height: number },
): StepPlot {
  const shown = inWindow(steps, from, to)
  const prices = shown.map(({ price }) => price)
  const low = Math.min(...prices)
  const high = Math.max(...prices)
  const span = Math.max(1, high - low)
  const xOf = (at: number) => ((Math.min(to, Math.max(from, at)) - from) / Math.max(1, to - from)) * width
  const yOf = (price: number) => height * (0.9 - (0.8 * (price - low)) / span)
  let path = ''
  for (const { at, price } of thinned(shown, xOf, width)) {
    const x = xOf(at).toFixed(1)
    const y = yOf(price).toFixed(1)
    path += path === '' ? `M${x} ${y}` : `H${x}V${y}`
  }
  if (path !== '') path += `H${width.toFixed(1)}`
  return { path, xOf, yOf, levels: shown.length === 0 ? [] : levelsOf(low, high) }
}

/** Ticks within the window, and the one that still stood when it began. */
function inWindow(steps: readonly Step[], from: number, to: number): Step[] {
  const first = steps.findIndex(({ at }) => at >= from)
  const start = first < 0 ? Math.max(0, steps.length - 1) : Math.max(0, first - 1)
  return steps.slice(start).filter(({ at }) => at <= to)
}

function thinned(steps: readonly Step[], xOf: (at: number) => number, width: number): Step[] {
  if (steps.length <= columnsMax * 4) return [...steps]
  const columns = new Map<number, Step[]>()
  for (const step of steps) {
    const column = Math.floor((xOf(step.at) / width) * columnsMax)
    const inside = columns.get(column)
    if (inside) inside.push(step)
    else columns.set(column, [step])
  }
  return [...columns.values()].flatMap((inside) => {
    const byPrice = [...inside].sort((a, b) => a.price - b.price)
    const kept = new Set([inside[0], byPrice[0], byPrice.at(-1), inside.at(-1)])
    return inside.filter((step) => kept.has(step))
  })
}

/** Three or so round prices between the lowest and the highest. */
function levelsOf(low: number, high: number): number[] {
  const rough = Math.max(1, (high - low) / 3)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? rough
  const levels: number[] = []
  for (let level = Math.ceil(low / step) * step; level <= high; level += step) levels.push(Math.round(level))
  return levels
}
