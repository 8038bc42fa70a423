import { frameMs } from '../../contract/constants.ts'
import type { Sha256Hex } from '../../contract/chain.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import { productState } from '../db/schema/index.ts'
import type { MarketProduct } from '../feed/load.ts'
import { Refusal } from '../http/refusal.ts'
import type { Clock, Market } from '../ports.ts'
import type { Book } from './book.ts'
import { bucketStore } from './bucket-store.ts'
import type { BucketStore } from './bucket-store.ts'
import { CandleReader } from './candles.ts'
import { chunkStore } from './chunk-store.ts'
import type { ChunkStore } from './chunk-store.ts'
import { DayFigures, sparkOf } from './figures.ts'
import { flushStore } from './flush-store.ts'
import { sealHours } from './hours.ts'
import { memoryFrom } from './minute-buckets.ts'
import { openBooks } from './open-books.ts'
import { pruneChunks } from './pruner.ts'
import type { ProofRanges } from './pruner.ts'
import { register } from './registration.ts'
import { Sealer } from './sealer.ts'
import { freshness, sessionOf, Sessions } from './session.ts'
import { recoverLog } from './tail-recovery.ts'
import { TickLog } from './tick-log.ts'
import { TickReader } from './ticks.ts'
import { Timers } from './timers.ts'

export type MarketParts = {
  db: Db
  /** Held by everything that the market writes. */
  fence: Fence
  clock: Clock
  /** SHA-256 of UTF-8 text as lower-case hex. */
  sha: Sha256Hex
  products: readonly MarketProduct[]
  /** Age at which chunks are pruned, ms. */
  ticksKeepMs: number
  /** What proofs need of old ticks; left out: nothing. */
  proofRanges?: ProofRanges
  /** Told of failures that the market survives: a flush that is tried again, a listener that threw. */
  report: (what: string, error: unknown) => void
  /** Told of what is no failure and yet wants somebody's eyes: an odd tick. */
  tell: (what: string) => void
  /** How often the feeds are asked, ms. */
  everyMs?: number
}

export type RunningMarket = Market & {
  /** Begins to flush. Until then nothing is due. */
  start(): void
  /** Stops the timers, waits for what is being written, and commits what is due. */
  stop(): Promise<void>
  /** Words that find a product besides its code and names. */
  searchWords(id: string): readonly string[]
  /** Ticks that a feed gave and the log refused. */
  dropped(): number
}

const sealEveryMs = 250
const sealHoursEveryMs = 60_000
const pruneEveryMs = 600_000

/**
 * Opens the market: reads the log as the run before left it, gives new products their number, and writes the gap since.
 * @throws ProductsError where the table contradicts the log, LogCorruptError where the log contradicts itself
 */
export async function createMarket(parts: MarketParts): Promise<RunningMarket> {
  const { db, fence, clock, sha, report, tell } = parts
  const stores = { buckets: bucketStore(db, fence), chunks: chunkStore(db, fence) }
  const recovered = await recoverLog(db, sha)
  const now = Math.max(clock.now(), recovered.newest?.at ?? 0)
  const { registered, newest } = await register(db, fence, recovered, parts.products, now)
  const opening = { db, sha, ...stores, tails: recovered.tails, now }
  const { books, minutesUntil } = await openBooks(opening, registered)
  const log = new TickLog({
    store: flushStore(db, fence),
    fence,
    clock,
    sha,
    books,
    newest,
    minutesUntil,
    report,
    tell,
  })
  // Products that left the table may have ticks that are not sealed yet.
  const left = [...recovered.tails].filter(([ix]) => !books.some((book) => book.ix === ix))
  const sealer = new Sealer(stores.chunks, [...books, ...left.map(([ix, tail]) => ({ ix, tail }))])
  const sessions = new Sessions(books, clock, report)
  log.onFlush(() => sessions.look())
  const timers = new Timers(clock, report)
  const byId = new Map(books.map((book) => [book.settings.id, book]))
  const stop = async (): Promise<void> => {
    await timers.stop()
    await log.flush(true)
  }
  let stopping: Promise<void> | null = null
  return {
    ...views(byId, log, clock),
    ...reads(byId, new TickReader(stores.chunks, sha), new CandleReader(stores.buckets)),
    onFlush: (listener) => log.onFlush(listener),
    onSession: (listener) => sessions.listen(listener),
    setMaintenance: async (id, on, opensAt, within) => {
      const book = bookOf(byId, id)
      await db.transaction(async (tx) => {
        await saveMaintenance(tx, id, on, on ? opensAt : null)
        await within?.(tx)
      })
      book.maintenance = on ? { opensAt } : null
      sessions.look()
    },
    start: () => startTimers(parts, timers, { log, sealer, books, ...stores }),
    stop: () => (stopping ??= stop()),
    dropped: () => log.oddities.dropped,
  }
}

type ById = ReadonlyMap<string, Book>

/** @throws Refusal 404 for a product that is not in the table */
function bookOf(byId: ById, id: string): Book {
  const book = byId.get(id)
  if (!book) throw new Refusal(404, 'NOT_FOUND')
  return book
}

/** What memory answers at once. */
function views(byId: ById, log: TickLog, clock: Clock) {
  const day = new DayFigures()
  const book = (id: string): Book => bookOf(byId, id)
  return {
    ids: [...byId.keys()],
    settings: (id: string) => byId.get(id)?.settings,
    searchWords: (id: string) => book(id).search,
    index: (id: string) => book(id).ix,
    figures: (id: string) => day.of(book(id), sessionOf(book(id), clock.now()), clock.now()),
    session: (id: string) => sessionOf(book(id), clock.now()),
    head: (id: string) => book(id).tail.head,
    watermark: (_id: string) => log.watermark,
    lastTickAt: (id: string) => book(id).last.at,
    feedStatus: (_id: string) => freshness(clock.now() - log.watermark),
    spark: async (id: string) => sparkOf(book(id), clock.now()),
    sources: (id: string) => book(id).sources,
    gaps: async (id: string) => {
      // A flush this late writes a gap: it is known before it has an end.
      const lasting = log.late ? [{ from: log.watermark, to: null }] : []
      return [...book(id).gaps, ...lasting]
    },
  }
}

/** What may need the database. */
function reads(byId: ById, ticks: TickReader, candles: CandleReader) {
  const book = (id: string): Book => bookOf(byId, id)
  return {
    candles: async (...[id, tf, to, limit]: Parameters<Market['candles']>) =>
      candles.read(book(id), tf, to, limit),
    ticksAfter: async (...[id, afterSeq, limit]: Parameters<Market['ticksAfter']>) =>
      ticks.after(book(id), afterSeq, limit),
    ticksBetween: async (...[id, from, to, limit]: Parameters<Market['ticksBetween']>) =>
      ticks.between(book(id), from, to, limit),
    firstTick: async (...[id, after, until]: Parameters<Market['firstTick']>) =>
      ticks.firstTick(book(id), after, until),
    lastTick: async (...[id, until]: Parameters<Market['lastTick']>) => ticks.lastTick(book(id), until),
  }
}

async function saveMaintenance(
  tx: DbTransaction,
  id: string,
  maintenance: boolean,
  opensAt: number | null,
): Promise<void> {
  const set = { maintenance, opensAt }
  await tx
    .insert(productState)
    .values({ id, ...set, retiredAt: null })
    .onConflictDoUpdate({ target: productState.id, set })
}

type Standing = {
  log: TickLog
  sealer: Sealer
  books: readonly Book[]
  buckets: BucketStore
  chunks: ChunkStore
}

function startTimers(
  { clock, proofRanges = async () => [], ticksKeepMs, everyMs = frameMs }: MarketParts,
  timers: Timers,
  { log, sealer, books, buckets, chunks }: Standing,
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
    for (const book of books) book.buckets.dropBefore(memoryFrom(log.minutesUntil))
    return sealHoursEveryMs
  })
  timers.every('pruning ticks failed', async () => {
    await pruneChunks(chunks, books, proofRanges, clock.now(), ticksKeepMs)
    return pruneEveryMs
  })
}
