import { sourceIdMax } from '../../../../contract/constants.ts'
import { parseRounded, parseTruncated } from '../../../../contract/price.ts'

/** Price and size are the digits of the message: they are never floats. */
export type RawTick = {
  symbol: string
  order: number
  sourceId: string
  /** ms; NaN if it cannot be read. */
  sourceAt: number
  price: string
  size: string
  /** A fill outside the market, such as a liquidation: its number counts, its price does not. */
  isOutsideMarket?: boolean
}

/** A trade or quote of the exchange, in units of the product. */
export type SourceTick = {
  /** Number of a trade, or the instant of a quote in ms. */
  order: number
  sourceId: string
  sourceAt: number
  /** False for a fill outside the market: it has a number but no price. */
  isPrice: boolean
  price: number
  size: number
}

type Scale = { id: string; priceDecimals: number; sizeDecimals: number }

/** Scales a tick to a product; null, and counted, if the log would refuse it. */
export function scaleTick(
  raw: Omit<RawTick, 'symbol'>,
  { id, priceDecimals, sizeDecimals }: Scale,
  count: (id: string, what: string, detail: string) => void,
): SourceTick | null {
  const { order, sourceId, sourceAt, isOutsideMarket = false } = raw
  if (isOutsideMarket) {
    count(id, 'price outside the market left out', sourceId)
    return { order, sourceId, sourceAt, isPrice: false, price: 0, size: 0 }
  }
  const price = parseRounded(raw.price, priceDecimals) ?? 0
  const size = parseTruncated(raw.size, sizeDecimals) ?? -1
  const hasId = sourceId.length > 0 && sourceId.length <= sourceIdMax
  if (price > 0 && size >= 0 && hasId) return { order, sourceId, sourceAt, isPrice: true, price, size }
  count(id, 'invalid tick dropped', `${sourceId}: ${raw.price} × ${raw.size}`.slice(0, 100))
  return null
}
