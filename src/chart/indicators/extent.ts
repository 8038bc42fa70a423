import { indicatorRules } from './kinds.ts'
import type { IndicatorColumns } from './columns.ts'

export type Extent = { minValue: number; maxValue: number }
export type Range = { from: number; to: number }

/** The lowest and the highest value within a range of bars, with what is always visible; undefined if there is none. */
export function extentOfColumns(all: readonly IndicatorColumns[], range: Range): Extent | undefined {
  const extents = all.flatMap((columns) => extentOf(columns, range) ?? [])
  if (extents.length === 0) return undefined
  return {
    minValue: Math.min(...extents.map(({ minValue }) => minValue)),
    maxValue: Math.max(...extents.map(({ maxValue }) => maxValue)),
  }
}

function extentOf(columns: IndicatorColumns, { from, to }: Range): Extent | undefined {
  const { kind, params } = columns.indicator
  const { lines, bars, guides = [] } = indicatorRules[kind]
  let [low, high] = [Infinity, -Infinity]
  const include = (value: number): void => {
    // Comparisons with NaN are false.
    if (value < low) low = value
    if (value > high) high = value
  }
  for (let line = lines(params).length - 1; line >= 0; line--) {
    for (let bar = from; bar <= to; bar++) include(columns.value(line, bar))
  }
  if (low > high) return undefined
  if (bars !== undefined) include(0)
  // Bars without height, of a product without volume.
  if (low === 0 && high === 0) return undefined
  for (const guide of guides) include(guide)
  return { minValue: low, maxValue: high }
}
