import {
  binance,
  binanceUsdm,
  coinbase,
  kraken,
  oanda,
  type Protocol,
} from '../../../../server/market/package.ts'

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
