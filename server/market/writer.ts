import type { Sha256Hex } from '../../contract/chain.ts'
import { frameMs } from '../../contract/constants.ts'
import type { Db } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import type { MarketProduct } from '../feed/load.ts'
import type { Clock, TickSource } from '../ports.ts'
import { bookOf } from './book.ts'
import type { Book } from './book.ts'
import { bucketStore } from './bucket-store.ts'
import type { BucketStore } from './bucket-store.ts'
import { chunkStore } from './chunk-store.ts'
import type { ChunkStore } from './chunk-store.ts'
import type { Commit, Sealed } from './commit.ts'
import { flushStore } from './flush-store.ts'
import { sealHours } from './hours.ts'
import { assertNewestChunks, openBooks } from './open-books.ts'
import { pruneChunks } from './pruner.ts'
import type { ProofRanges } from './pruner.ts'
import { register } from './registration.ts'
import type { Registered } from './registration.ts'
import { Sealer } from './sealer.ts'
import type { PackedTail } from './tail.ts'
import { recoverLog } from './tail-recovery.ts'
import { TickLog } from './tick-log.ts'
import { gapsOf, readTicks } from './tick-source.ts'
import { Timers } from './timers.ts'

export type MarketWriterParts = {
  db: Db
  /** Names the leader's term in every statement that writes. */
  fence: Fence
  clock: Clock
  /** SHA-256 of UTF-8 text as lower-case hex. */
  sha: Sha256Hex
  products: readonly MarketProduct[]
  /** Age at which chunks are pruned, ms. */
  ticksKeepMs: number
  /** What proofs need of old ticks; left out: nothing. */
  proofRanges?: ProofRanges
  /** Reports failures that the market survives: a flush that is tried again, a listener that threw. */
  report: (what: string, error: unknown) => void
  /** Reports what is no failure and yet needs a person's eyes: an odd tick. */
  tell: (what: string) => void
  /** How often the feeds are asked, ms. */
  everyMs?: number
}

/** The newest flush, and each product's ticks that are not sealed yet, by its number. */
export type LogEnd = { newest: { id: number; at: number }; tails: ReadonlyMap<number, PackedTail> }

/** Reads the feeds and writes the tick log: the only code that adds a tick. */
export type MarketWriter = {
  /** The log as it is committed, for entries and settlement. */
  source: TickSource
  registered: readonly Registered[]
  /** Where the log ends while it has not started, every tick hashed again. */
  end(): LogEnd
  /** Whether the time since the run before is caught up with. */
  catchesUp: boolean
  /** After each commit, in its order. */
  onCommit(listener: (commit: Commit) => void): () => void
  /** After ticks were moved into chunks. */
  onSealed(listener: (sealed: Sealed) => void): () => void
  /** Begins to flush. Until then nothing is due. */
  start: () => void
  /** Stops the timers, waits for what is being written, and commits what is due. */
  stop: () => Promise<void>
  /** Ticks that a feed gave and the log refused. */
  dropped: () => number
}

const sealEveryMs = 250
const sealHoursEveryMs = 60_000
const pruneEveryMs = 600_000

/**
 * Opens the log as the run before left it, gives new products their number, and goes on where the log ends.
 * @throws ProductsError if the table contradicts the log, LogCorruptError if the log contradicts itself
 */
export async function openMarketWriter(parts: MarketWriterParts): Promise<MarketWriter> {
  const { db, fence, clock, sha, report, tell } = parts
  const stores = { buckets: bucketStore(db, fence), chunks: chunkStore(db, fence) }
  const recovered = await recoverLog(db, sha)
  await assertNewestChunks(stores.chunks, recovered.products.values())
  const now = Math.max(clock.now(), recovered.newest?.at ?? 0)
  const { registered, newest, catchesUp } = await register(db, fence, recovered, parts.products, now)
  await sealHours(stores.buckets, (await stores.buckets.keptUntil()) ?? Number.NEGATIVE_INFINITY)
  const opening = { db, sha, ...stores, tails: recovered.tails, now }
  const { books, minutesUntil } = await openBooks(opening, registered, 'unstored')
  const log = new TickLog({
    store: flushStore(db, fence),
    fence,
    clock,
    sha,
    books,
    newest,
    minutesUntil,
    catchesUp,
    report,
    tell,
  })
  // Products that left the table may have ticks that are not sealed yet.
  const left = [...recovered.tails].filter(([ix]) => !books.some((book) => book.ix === ix))
  const sealer = new Sealer(stores.chunks, [...books, ...left.map(([ix, tail]) => ({ ix, tail }))], report)
  const timers = new Timers(clock, report)
  const byId = new Map(books.map((book) => [book.settings.id, book]))
  let started = false
  const stop = async (): Promise<void> => {
    await timers.stop()
    // A start that is refused leaves the log as it was.
    if (started) await log.flush(true)
  }
  let stopping: Promise<void> | null = null
  return {
    source: {
      settings: (id) => byId.get(id)?.settings,
      sources: (id) => bookOf(byId, id).sources,
      watermark: () => log.watermark,
      gaps: async (id) => gapsOf(bookOf(byId, id), log.watermark, log.late),
      onFlush: (listener) => log.onCommit(listener),
      ...readTicks(byId, stores.chunks, sha),
    },
    registered,
    end: () => ({ newest, tails: new Map(books.map(({ ix, tail }) => [ix, tail.pack()])) }),
    catchesUp,
    onCommit: (listener) => log.onCommit(listener),
    onSealed: (listener) => sealer.onSealed(listener),
    start: () => {
      started = true
      startTimers(parts, timers, { log, sealer, books, ...stores })
    },
    stop: () => (stopping ??= stop()),
    dropped: () => log.oddities.dropped,
  }
}

type Running = {
  log: TickLog
  sealer: Sealer
  books: readonly Book[]
  buckets: BucketStore
  chunks: ChunkStore
}

function startTimers(
  { clock, proofRanges = async () => [], ticksKeepMs, everyMs = frameMs }: MarketWriterParts,
  timers: Timers,
  { log, sealer, books, buckets, chunks }: Running,
): void {
  timers.every('a flush of ticks failed', async () => {
    const committed = await log.flush()
    return committed && log.behind ? 0 : everyMs
  })
  timers.every('sealing ticks failed', async () =>
    (await sealer.seal(clock.now(), log.batchId)) ? everyMs : sealEveryMs,
  )
  timers.every('sealing hours failed', async () => {
    await sealHours(buckets, log.minutesUntil)
    for (const book of books) book.buckets.dropBefore(log.minutesUntil)
    return sealHoursEveryMs
  })
  timers.every('pruning ticks failed', async () => {
    await pruneChunks(chunks, books, proofRanges, clock.now(), ticksKeepMs)
    return pruneEveryMs
  })
}
