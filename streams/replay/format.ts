import { formatUnits } from '../../contract/price.ts'
import type { Scale, Tick } from '../types.ts'

/** First line of every recording. What a tick does not have, as a live stream bid and ask, stays empty. */
export const recordingHeader = 'ts_ms,price,size,bid,ask'

/** One tick as a line of a recording: the venue's instant, price and size with the product's decimals. */
export function formatRow(
  { at, price, size, bid, ask }: Omit<Tick, 'seq'>,
  { priceDecimals, sizeDecimals }: Scale,
): string {
  const side = (units: number | undefined): string =>
    units === undefined ? '' : formatUnits(units, priceDecimals)
  return `${at},${formatUnits(price, priceDecimals)},${formatUnits(size, sizeDecimals)},${side(bid)},${side(ask)}`
}
