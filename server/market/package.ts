/**
 * What `packages/uptick` has of the venue: how exchanges are read, to record and convert their prices, made-up prices for
 * tests, and the keys of the public log, to verify it. It has no database and no server.
 */
export { Ban } from './feed/live/ban.ts'
export { binance } from './feed/live/binance.ts'
export { binanceUsdm } from './feed/live/binanceUsdm.ts'
export { coinbase } from './feed/live/coinbase.ts'
export { type ExchangeName, symbolPatterns } from './feed/live/exchanges.ts'
export { kraken } from './feed/live/kraken.ts'
export { Lag } from './feed/live/lag.ts'
export { Line } from './feed/live/line.ts'
export { oanda } from './feed/live/oanda.ts'
export type { Protocol, Sink } from './feed/live/protocol.ts'
export type { RawTick } from './feed/live/sourceTick.ts'
export { networkTransport } from './feed/live/transport.ts'
export { syntheticSource } from './feed/synthetic.ts'
export { keyPairOf } from './publicLog/keyPair.ts'
export { sha256 } from './publicLog/signer.ts'
export { systemClock } from '../platform/clock.ts'
export { systemRandom } from '../platform/random.ts'
export { sha256OfFile, textOfFile, textOfStream, whyUnreadable } from '../platform/textFile.ts'
