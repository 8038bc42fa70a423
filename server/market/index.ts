/**
 * The market: prices from their source to every member's screen. It reads the feeds, numbers, hashes and commits each
 * tick, keeps candles, answers for prices and history, sends ticks to sockets, and signs the public log. It is the
 * only area that adds a tick, and owns the tables of products, ticks, gaps and the public log.
 *
 * Read it in the order of a tick: `feed/feed.ts` (what a source is), `log/tickLog.ts` (write, then publish),
 * `writer.ts` and `read/follower.ts` (the two sides of the engine's thread), `candles/`, `realtime/realtime.ts`; then
 * `publicLog/publicLog.ts`. `ports.ts` is the market as later areas see it.
 */
export type { Commit, Compacted } from './commit.ts'
export { type FeedSettings, loadProducts, type MarketProduct } from './feed/loadProducts.ts'
export type { PreparedReplay } from './feed/builtReplay.ts'
export { productRow, type ProductRow, ProductsError } from './feed/products.ts'
export { readProducts } from './feed/productsFile.ts'
export { assertRecordingsDir } from './feed/recordingFile.ts'
export { StandbyFeed, type StandbyFeeds } from './feed/standbyFeed.ts'
export { Listeners } from './listeners.ts'
export { type BatchBlock, unpackRow } from './log/batch.ts'
export { readNewestWatermark } from './log/flushStore.ts'
export { cutLog } from './log/logCut.ts'
export { hashAfterBlock, type Scale } from './log/rehash.ts'
export { firstViolation, type LogCheck, type VerifiedHead, verifyChunks, verifyLog } from './log/verifyLog.ts'
export type { ReadMarket, RunningMarket } from './market.ts'
export { type NodeMarket, openNodeMarket } from './nodeMarket.ts'
export { encodeFlush, messageOf } from './nodes/flushMessage.ts'
export type { Flush, Market, ProductSettings, TickBlock, TickSource } from './ports.ts'
export { sharedTermsOf } from './productTerms.ts'
export { openPublicLog, type PublicLog } from './publicLog/publicLog.ts'
export { openMarketFollower, splitFollower } from './read/follower.ts'
export { untilReached } from './read/headWait.ts'
export { createRefundReader, noRefunds, type RefundReader, type RefundsOfCause } from './read/refunds.ts'
export { createMarketRoutes } from './read/routes.ts'
export { handshakeSid } from './realtime/handshake.ts'
export { relayMemberBus } from './realtime/memberBusRelay.ts'
export { createMemberSockets, type MemberSockets } from './realtime/memberSockets.ts'
export { createRealtime, type Realtime } from './realtime/realtime.ts'
export { readSources, type RegisteredProduct, SourceDiffersError } from './registration.ts'
export { addTicks, createRuns, endOf, openReplayLog, type ReplayLog } from './replayLog.ts'
export { feedGap, feedProduct, refundTally, termColumns, tickBatch } from './schema.ts'
export { openStoredLog, type StoredLog } from './storedLog.ts'
export { type LogEnd, type MarketWriter, openMarketWriter, type WriterCounts } from './writer.ts'
