import {
  binance,
  binanceUsdm,
  coinbase,
  kraken,
  oanda,
  symbolPatterns,
  type ExchangeName,
  type Protocol,
} from '../../../../server/market/package.ts'
import { UsageError } from './command.ts'

type Options = {
  /** Another address than the exchange's own, such as that of `uptick exchange`. */
  url?: string | undefined
  /** Of OANDA, to connect; to read recorded messages they are not needed. */
  token?: string | undefined
  account?: string | undefined
}

const protocols: Record<string, (options: Options) => Protocol> = {
  binance: ({ url }) => binance(url ?? null),
  'binance-usdm': ({ url }) => binanceUsdm(url ?? null),
  coinbase: ({ url }) => coinbase(url ?? null),
  kraken: ({ url }) => kraken(url ?? null),
  oanda: ({ url, token = '', account = '' }) => oanda(url ?? null, token, account),
}

export const protocolNames: readonly string[] = Object.keys(protocols)

/** How an exchange's messages are requested and read; undefined if it is not known. */
export const protocolOf = (name: string, options: Options = {}): Protocol | undefined =>
  protocols[name]?.(options)

/** `binance:BTCUSDT,ETHUSDT`; null if the text does not begin with the name of an exchange. */
export function parseExchange(text: string): { exchange: string; symbols: readonly string[] } | null {
  const [exchange = '', ...rest] = text.split(':')
  if (!protocolNames.includes(exchange)) return null
  const symbols = rest.join(':').toUpperCase().split(',')
  const pattern = symbolPatterns[exchange as ExchangeName]
  const wrong = symbols.find((symbol) => !pattern.test(symbol))
  if (wrong !== undefined)
    throw new UsageError(
      `${exchange} has no symbol like "${wrong}"`,
      'such as binance:BTCUSDT, coinbase:BTC-USD, kraken:BTC/USD, oanda:EUR_USD',
    )
  // Binance writes BTCUSDT, people also BTC/USDT.
  const own = exchange.startsWith('binance') ? symbols.map((symbol) => symbol.replace('/', '')) : symbols
  return { exchange, symbols: [...new Set(own)] }
}
