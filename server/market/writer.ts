import type { Sha256Hex } from '../../contract/chain.ts'
import { frameIntervalMs } from '../../contract/constants.ts'
import type { Db } from '../platform/db/database.ts'
import type { Fence } from '../platform/db/fence.ts'
import type { MarketProduct } from './feed/loadProducts.ts'
import type { StandbyFeeds } from './feed/standbyFeed.ts'
import type { Clock, LogLine, Random } from '../platform/ports.ts'
import type { TickSource } from './ports.ts'
import { createScheduler, type Scheduler } from '../platform/scheduler.ts'
import { requireProductState, watermarkOf, type ProductState } from './productState.ts'
import { createBucketStore, type BucketStore } from './candles/bucketStore.ts'
import { createChunkStore, type ChunkStore } from './log/chunkStore.ts'
import type { Commit, Compacted } from './commit.ts'
import { createFlushStore } from './log/flushStore.ts'
import { compactHours } from './candles/hourCompactor.ts'
import { assertNewestChunks, openProductStates } from './openProductStates.ts'
import { pruneChunks, type ProofRanges } from './log/pruner.ts'
import { registerProducts, type RegisteredProduct } from './registration.ts'
import { ChunkCompactor } from './log/chunkCompactor.ts'
import type { PackedTail } from './log/tail.ts'
import { recoverLog, type RecoveredLog } from './log/tailRecovery.ts'
import { takeOverFeeds } from './takeOver.ts'
import { TickLog } from './log/tickLog.ts'
import { gapsOf, createTickReads } from './read/tickSource.ts'

export type MarketWriterParts = {
  db: Db
  /** Adds the leader's term to every statement that writes. */
  fence: Fence
  clock: Clock
  /** SHA-256 of UTF-8 text as lower-case hex. */
  sha: Sha256Hex
  products: readonly MarketProduct[]
  /** Age at which chunks are pruned, ms. */
  tickRetentionMs: number
  /** The old ticks that proofs need; none by default. */
  proofRanges?: ProofRanges
  /** Reports failures that the market survives: a flush that is retried, a listener that threw. */
  report: (what: string, error: unknown) => void
  /** Logs what is not a failure: a suspicious tick, a live source that sends again. */
  logLine: LogLine
  /** Prepares a flush for other nodes while it is being written; what it returns sends it. */
  prepareSending?: (commit: Commit) => () => void
  /** For live feeds: when to connect again. */
  random: Random
  /** The live feeds that listened before this node led; every other one is opened now. */
  standbyFeeds?: StandbyFeeds
  /** How often the feeds are read, ms. */
  everyMs?: number
}

/** The newest flush, and each product's ticks that are not compacted yet, by its number. */
export type LogEnd = { newest: { id: number; at: number }; tails: ReadonlyMap<number, PackedTail> }

/** Reads the feeds and writes the tick log: the only code that adds a tick. */
export type MarketWriter = {
  /** The committed log, for entries and settlement. */
  source: TickSource
  registered: readonly RegisteredProduct[]
  /** The end of the log before it starts; its hashes are verified. */
  end(): LogEnd
  /** Whether the log catches up with the time since the previous run. */
  isCatchingUp: boolean
  /** After each commit, in its order. */
  onCommit(listener: (commit: Commit) => void): () => void
  /** After ticks were compacted into chunks. */
  onCompacted(listener: (compacted: Compacted) => void): () => void
  /** Starts the live feeds, and to flush. Until then nothing is written. */
  start: () => void
  /** Stops the timers, waits for writes in progress, commits what is due, and closes the live feeds. */
  stop: () => Promise<void>
  counts: () => WriterCounts
}

/** Since the start: ticks of feeds that the log dropped, and flushes that failed, each of which is tried again. */
export type WriterCounts = { dropped: number; failedFlushes: number }

const compactEveryMs = 250
/** Fewer flushes are written in this time than one turn deletes. */
const deleteEveryMs = 1000
/**
 * How long flushes keep their rows after their ticks are in chunks: a node that missed them on the bus reads them from
 * the database, and stops if they are deleted.
 */
const keptMs = 30_000
const compactHoursEveryMs = 60_000
const pruneEveryMs = 600_000
/** Delay after a failed run, so that a broken database is not hammered. */
const retryMs = 1000

/**
 * Opens the log as the previous run left it, assigns new products their number, and continues where the log ends.
 * @throws ProductsError if the table contradicts the log, LogCorruptError if the log contradicts itself
 */
export async function openMarketWriter(parts: MarketWriterParts): Promise<MarketWriter> {
  const { db, fence, clock, sha, random, prepareSending, report, logLine, standbyFeeds = new Map() } = parts
  const stores = { buckets: createBucketStore(db, fence), chunks: createChunkStore(db, fence) }
  const recovered = await recoverLog(db, sha)
  await assertNewestChunks(stores.chunks, recovered.products.values())
  const now = Math.max(clock.now(), recovered.newest?.at ?? 0)
  const received = await takeOverFeeds(standbyFeeds, recovered, stores.chunks)
  const { registered, newest, isCatchingUp } = await registerProducts(
    { db, fence, log: recovered, now, received },
    parts.products,
  )
  await compactHours(stores.buckets, (await stores.buckets.storedUntil()) ?? Number.NEGATIVE_INFINITY)
  const { productStates, minutesUntil } = await openProductStates(
    { db, sha, ...stores, tails: recovered.tails, now, live: { clock, random, logLine, standbyFeeds } },
    registered,
    'unstored',
  )
  const log = new TickLog({
    store: createFlushStore(db, fence),
    fence,
    clock,
    sha,
    productStates,
    newest,
    minutesUntil,
    isCatchingUp,
    ...(prepareSending && { prepareSending }),
    report,
    logLine,
  })
  const compactor = new ChunkCompactor(stores.chunks, tailsToCompact(productStates, recovered.tails), report)
  const scheduler = createScheduler(clock, report)
  const byId = new Map(productStates.map((state) => [state.settings.id, state]))
  let hasStarted = false
  const stop = async (): Promise<void> => {
    await scheduler.stop()
    // If the start is aborted, the log stays as it was.
    if (!hasStarted) return
    await log.flush(true)
    await log.liveFeeds.close()
  }
  let stopping: Promise<void> | null = null
  return {
    source: {
      settings: (id) => byId.get(id)?.settings,
      sources: (id) => requireProductState(byId, id).sources,
      watermark: (id) => watermarkOf(requireProductState(byId, id), log.watermark),
      gaps: async (id) => gapsOf(requireProductState(byId, id), log.watermark, log.isInGap),
      onFlush: (listener) => log.onCommit(listener),
      ...createTickReads(byId, stores.chunks, sha),
    },
    registered,
    end: () => ({ newest, tails: new Map(productStates.map(({ ix, tail }) => [ix, tail.pack()])) }),
    isCatchingUp,
    onCommit: (listener) => log.onCommit(listener),
    onCompacted: (listener) => compactor.onCompacted(listener),
    start: () => {
      hasStarted = true
      log.liveFeeds.start()
      startTasks(parts, scheduler, { log, compactor, productStates, ...stores })
    },
    stop: () => (stopping ??= stop()),
    counts: () => ({ dropped: log.anomalies.dropped, failedFlushes: log.failedFlushes }),
  }
}

/** Also those of products that left the table, which may have ticks that are not compacted yet. */
function tailsToCompact(states: readonly ProductState[], recovered: RecoveredLog['tails']) {
  const retired = [...recovered].filter(([ix]) => !states.some((state) => state.ix === ix))
  return [...states, ...retired.map(([ix, tail]) => ({ ix, tail }))]
}

type RunningWriter = {
  log: TickLog
  compactor: ChunkCompactor
  productStates: readonly ProductState[]
  buckets: BucketStore
  chunks: ChunkStore
}

function startTasks(
  { clock, proofRanges = async () => [], tickRetentionMs, everyMs = frameIntervalMs }: MarketWriterParts,
  scheduler: Scheduler,
  { log, compactor, productStates, buckets, chunks }: RunningWriter,
): void {
  const start = (failure: string, run: () => Promise<number>): void =>
    void scheduler.add({ failure, run, firstMs: 0, retryMs })
  start('a flush of ticks failed', async () => {
    const committed = await log.flush()
    return committed && log.isBehind ? 0 : everyMs
  })
  start('compacting ticks failed', async () =>
    (await compactor.compact(clock.now())) ? everyMs : compactEveryMs,
  )
  start('deleting compacted flushes failed', async () =>
    (await compactor.deleteFlushes(log.batchId - Math.ceil(keptMs / everyMs)))
      ? compactEveryMs
      : deleteEveryMs,
  )
  start('compacting hours failed', async () => {
    await compactHours(buckets, log.minutesUntil)
    for (const state of productStates) state.buckets.dropBefore(log.minutesUntil)
    return compactHoursEveryMs
  })
  start('pruning ticks failed', async () => {
    await pruneChunks(chunks, productStates, proofRanges, clock.now(), tickRetentionMs)
    return pruneEveryMs
  })
}
