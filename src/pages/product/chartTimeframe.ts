import { timeframes, type Timeframe } from '../../../contract/candles.ts'
import { minuteMs } from '../../../contract/time.ts'
import { timeframeOfDuration } from '../../chart/orderTimeframe.ts'
import type { Order } from '../../../streams/index.ts'

/** An order that is longer than so many times the one that ends next would make that one too short to read. */
const longestOfNext = 8

/**
 * The timeframe in which open orders are visible as a whole: all but those that are much longer than the one that ends next.
 * Without any, that of the ticket's duration.
 */
export function fittingTimeframe(
  open: readonly Pick<Order, 'seconds' | 'closeAt'>[],
  selected: number | undefined,
): Timeframe {
  const [first, ...others] = open
  if (first === undefined) return timeframeOfDuration(selected)
  const next = others.reduce((a, b) => (b.closeAt < a.closeAt ? b : a), first)
  const shown = open.map(({ seconds }) => seconds).filter((each) => each <= longestOfNext * next.seconds)
  return timeframeOfDuration(Math.max(...shown))
}

/** Which of the two styles that a member chooses a timeframe has: bars of seconds have one of their own. */
export const styleNameOf = (timeframe: Timeframe): 'style' | 'secondsStyle' =>
  timeframes[timeframe] < minuteMs ? 'secondsStyle' : 'style'
