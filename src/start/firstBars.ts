import { timeframeNames, type Timeframe } from '../../contract/candles.ts'
import { durationOf, timeframeOfDuration } from '../chart/orderTimeframe.ts'
import type { Duration } from '../../streams/index.ts'
import { storedField } from '../state/storage.ts'

/** The timeframe that the member chose for every chart. */
export function chosenTimeframe(): Timeframe | undefined {
  const chart = storedField('preferences', 'chart')
  const frame = typeof chart === 'object' && chart !== null && 'frame' in chart ? chart.frame : undefined
  return timeframeNames.find((name) => name === frame)
}

/** The timeframe that the chart of a product has first, by the venue's answer; undefined if it is not one. */
export function firstTimeframe(id: string, product: unknown): Timeframe | undefined {
  if (typeof product !== 'object' || product === null || !('durations' in product)) return undefined
  const { durations } = product
  if (!Array.isArray(durations)) return undefined
  const seconds = storedField('ticket', 'seconds') as Readonly<Record<string, number>> | null | undefined
  return timeframeOfDuration(durationOf({ durations: durations as Duration[] }, seconds?.[id])?.seconds)
}
