import { binanceProtocol } from './binance.ts'
import type { Protocol } from './protocol.ts'

/**
 * Binance USD-M perpetuals: raw trades and the best bid and ask, both under `/public`. A trade that `X` marks as a fill
 * of the insurance fund or of deleveraging has a number but no market price.
 */
export const binanceUsdm = (override: string | null): Protocol =>
  binanceProtocol({
    name: 'binance-usdm',
    socketUrl: override ?? 'wss://fstream.binance.com',
    callUrl: override?.replace(/^ws/, 'http') ?? 'https://fapi.binance.com',
    streamPath: '/public/stream',
    tradesPath: '/fapi/v1/trades',
  })
