import { parsePrice } from '../../../contract/price.ts'
import type { ChartMark } from '../../chart/port.ts'
import type { Order } from '../../../streams/index.ts'

/** Open orders as marks on the chart. */
export function chartMarksOf(orders: readonly Order[]): ChartMark[] {
  return orders.map(({ id, direction, entry, closeAt, terms }) => {
    const units = entry === null ? undefined : parsePrice(entry.price, terms.priceDecimals)
    return {
      id,
      direction,
      closeAt,
      entry:
        entry === null || units === undefined
          ? undefined
          : { at: entry.at, price: units / 10 ** terms.priceDecimals },
    }
  })
}
