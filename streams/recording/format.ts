import { formatUnits } from '../../contract/price.ts'
import type { Scale, Tick } from '../types.ts'

/** First line of every recording. A live stream has no bid and ask: those fields stay empty. */
export const recordingHeader = 'ts_ms,price,size,bid,ask'

/** One tick as a line of a recording: the venue's instant, price and size with the product's decimals. */
export function formatRow(tick: Pick<Tick, 'at' | 'price' | 'size'>, scale: Scale): string {
  return `${tick.at},${formatUnits(tick.price, scale.priceDecimals)},${formatUnits(tick.size, scale.sizeDecimals)},,`
}
