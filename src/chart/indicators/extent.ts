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
  const { bars, guides = [] } = indicatorRules[columns.indicator.kind]
  const fixed = [...(bars === undefined ? [] : [0]), ...guides]
  const before = extentBefore(columns, { from, to: to - 1 })
  const extent = widen(before, columns, { from: to, to })
  if (extent.minValue > extent.maxValue) return undefined
  // Bars without height, of a product without volume.
  if (extent.minValue === 0 && extent.maxValue === 0) return undefined
  return {
    minValue: Math.min(extent.minValue, ...fixed),
    maxValue: Math.max(extent.maxValue, ...fixed),
  }
}

type Known = Extent & Range & { revision: number }
const known = new WeakMap<IndicatorColumns, Known>()
const none: Extent = { minValue: Infinity, maxValue: -Infinity }

/** Of the bars before the last one, which a tick does not change: needed several times a frame, computed once a bar. */
function extentBefore(columns: IndicatorColumns, range: Range): Extent {
  const revision = columns.revision()
  const last = known.get(columns)
  if (last?.revision === revision && last.from === range.from && last.to === range.to) return last
  const next = { ...widen(none, columns, range), ...range, revision }
  known.set(columns, next)
  return next
}

function widen({ minValue, maxValue }: Extent, columns: IndicatorColumns, { from, to }: Range): Extent {
  const { kind, params } = columns.indicator
  for (let line = indicatorRules[kind].lines(params).length - 1; line >= 0; line--) {
    for (let bar = from; bar <= to; bar++) {
      const value = columns.value(line, bar)
      // Comparisons with NaN are false.
      if (value < minValue) minValue = value
      if (value > maxValue) maxValue = value
    }
  }
  return { minValue, maxValue }
}
