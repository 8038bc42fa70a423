import { indicatorRules } from './kinds.ts'
import type { IndicatorColumns } from './columns.ts'

export type Extent = { minValue: number; maxValue: number }
export type Range = { from: number; to: number }

/** The lowest and the highest value within a range of bars, with what is always visible; undefined if there is none. */
export function extentOfColumns(columns: IndicatorColumns, { from, to }: Range): Extent | undefined {
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
