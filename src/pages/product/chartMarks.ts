import { parsePrice } from '../../../contract/price.ts'
import type { ChartMark } from '../../chart/types.ts'
import { averageWindowOf } from '../../features/orders/averageWindow.ts'
import type { Order } from '../../../streams/index.ts'

/**
 * Orders as marks on the chart.
 * @param means the means of their windows so far, as decimal text by order id
 */
export function chartMarksOf(orders: readonly Order[], means: ReadonlyMap<string, string>): ChartMark[] {
  return orders.map((order) => {
    const { id, direction, closeAt } = order
    const exit = exitOf(order)
    const mean = exit?.mean ?? means.get(id)
    return { id, direction, closeAt, entry: entryOf(order), exit, window: averageWindowOf(order, mean) }
  })
}

function entryOf({ entry, terms: { priceDecimals } }: Order): ChartMark['entry'] {
  const units = entry === null ? undefined : parsePrice(entry.price, priceDecimals)
  return entry === null || units === undefined
    ? undefined
    : { at: entry.at, price: units / 10 ** priceDecimals }
}

/** A mean is drawn where its window ends. */
function exitOf({ exit, closeAt }: Order): { at: number; price: number; mean?: string } | undefined {
  if (exit === null) return undefined
  // Only drawn: a chart needs no exact price.
  if ('value' in exit) return { at: closeAt, price: Number(exit.value), mean: exit.value }
  return { at: exit.at, price: Number(exit.price) }
}
