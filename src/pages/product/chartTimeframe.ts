import { timeframes, type Timeframe } from '../../../contract/candles.ts'
import { minuteMs } from '../../../contract/time.ts'
import { timeframeOfDuration } from '../../chart/orderTimeframe.ts'
import type { Order } from '../../../streams/index.ts'

/** The timeframe in which every open order is visible as a whole; without any, an order of the ticket's duration. */
export const fittingTimeframe = (
  open: readonly Pick<Order, 'seconds'>[],
  selected: number | undefined,
): Timeframe =>
  timeframeOfDuration(open.length === 0 ? selected : Math.max(...open.map(({ seconds }) => seconds)))

/** Which of the two styles that a member chooses a timeframe has: bars of seconds have one of their own. */
export const styleNameOf = (timeframe: Timeframe): 'style' | 'secondsStyle' =>
  timeframes[timeframe] < minuteMs ? 'secondsStyle' : 'style'
