import { timeframeNames, timeframes, type Timeframe } from '../../contract/candles.ts'
import { secondMs } from '../../contract/time.ts'
import type { Duration, ProductDetail } from '../../streams/index.ts'

/** More bars than this between entry and expiry would leave no space for the price before them on a phone. */
const barsMax = 40
/** A line of ticks shows each move of the price but not how far an order is: it is only chosen by hand. */
const timeframesOfOrders = timeframeNames.filter((name) => timeframes[name] >= secondMs)

/** The shortest timeframe in which an order of this duration, in seconds, is visible from its entry to its expiry. */
export const timeframeOfDuration = (seconds = 0): Timeframe =>
  timeframesOfOrders.find((name) => seconds * secondMs <= barsMax * timeframes[name]) ?? '1d'

/** The duration of a product that the member selected, in seconds, or its shortest. */
export const durationOf = (
  { durations }: Pick<ProductDetail, 'durations'>,
  selected: number | undefined,
): Duration | undefined => durations.find(({ seconds }) => seconds === selected) ?? durations[0]
