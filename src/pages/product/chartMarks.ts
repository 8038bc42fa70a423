import { parsePrice } from '../../../contract/price.ts'
import type { ChartMark } from '../../chart/port.ts'
import { averageWindowOf } from '../../features/orders/averageWindow.ts'
import type { Order } from '../../../streams/index.ts'

/**
 * Open orders as marks on the chart.
 * @param means the means of their windows so far, as decimal text by order id
 */
export function chartMarksOf(orders: readonly Order[], means: ReadonlyMap<string, string>): ChartMark[] {
  return orders.map((order) => {
    const { id, direction, entry, closeAt, terms } = order
    const units = entry === null ? undefined : parsePrice(entry.price, terms.priceDecimals)
    return {
      id,
      direction,
      closeAt,
      entry:
        entry === null || units === undefined
          ? undefined
          : { at: entry.at, price: units / 10 ** terms.priceDecimals },
      window: averageWindowOf(order, means.get(id)),
    }
  })
}
