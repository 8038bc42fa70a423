import { openTradingCalendar } from '../tradingCalendar.ts'
import type { FeedTradingHours, LiveSource } from '../feed.ts'
import { exchangeNames, symbolPatterns, type ExchangeName, type Exchanges } from './exchanges.ts'

/** The feed of a product's row that names an exchange. */
export type ExchangeFeed = {
  exchange: string
  symbol: string
  hours?: unknown
  witness?: { exchange: string; symbol: string; maxDeviationBp: number } | undefined
}
type LiveRow = { id: string; priceDecimals: number; sizeDecimals?: number | undefined; feed: ExchangeFeed }

const always: FeedTradingHours = { open: true, opensAt: null, closesAt: null }
const ccxtPattern = /^ccxt:[a-z0-9]{2,30}$/

const isExchange = (name: string): name is ExchangeName => (exchangeNames as readonly string[]).includes(name)

/** The violations of a feed's exchange, symbol and witness, one line each. */
export function findExchangeViolations({ exchange, symbol, witness }: ExchangeFeed): string[] {
  const violations: string[] = []
  if (!isExchange(exchange) && !ccxtPattern.test(exchange))
    violations.push(`feed.exchange: must be ${exchangeNames.join(', ')} or ccxt: and an id`)
  if (isExchange(exchange) && !symbolPatterns[exchange].test(symbol))
    violations.push(`feed.symbol: ${exchange} has no symbol like ${symbol}`)
  if (witness === undefined) return violations
  if (!isExchange(witness.exchange))
    violations.push(`feed.witness.exchange: must be ${exchangeNames.join(', ')}`)
  else if (!symbolPatterns[witness.exchange].test(witness.symbol))
    violations.push(`feed.witness.symbol: ${witness.exchange} has no symbol like ${witness.symbol}`)
  if (witness.exchange === exchange) violations.push('feed.witness.exchange: must be another exchange')
  return violations
}

/** Quotes have no size. */
export const sizeDecimalsOf = ({ sizeDecimals, feed }: LiveRow): number =>
  sizeDecimals ?? (feed.exchange === 'oanda' ? 0 : 8)

/**
 * The live source of a validated row.
 * @throws an error for the operator if a setting is missing, or the row needs what this venue does not support
 */
export function liveSourceOf(row: LiveRow, exchanges: Exchanges, mode: 'practice' | 'live'): LiveSource {
  const { id, priceDecimals, feed } = row
  const { exchange, symbol, hours } = feed
  if (exchange.startsWith('ccxt:') && mode === 'live') throw new Error('MODE=live takes no feed of ccxt')
  const calendar = hours === undefined ? null : openTradingCalendar(hours)
  return exchanges.source({
    id,
    exchange,
    // Binance writes its symbols without a slash; a table may have one.
    symbol: exchange.startsWith('binance') ? symbol.replace('/', '') : symbol,
    priceDecimals,
    sizeDecimals: sizeDecimalsOf(row),
    tradingHoursAt: (t) => calendar?.tradingHoursAt(t) ?? always,
  })
}

/** The row of a product's witness: a product of its own with its product's scale and hours; null without a witness. */
export function witnessRowOf<T extends LiveRow>({
  feed: { witness, hours },
  ...row
}: T): (Omit<T, 'feed'> & { feed: ExchangeFeed }) | null {
  if (witness === undefined) return null
  const { exchange, symbol } = witness
  return { ...row, id: `${row.id}~${exchange}`, feed: { exchange, symbol, hours } }
}
