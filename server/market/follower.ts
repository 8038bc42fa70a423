import type { Sha256Hex } from '../../contract/chain.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { productState } from '../db/schema/index.ts'
import type { Clock, Flush, Market } from '../ports.ts'
import { bookOf } from './book.ts'
import type { Book } from './book.ts'
import { bucketReads } from './bucket-store.ts'
import { CandleReader } from './candles.ts'
import { chunkReads } from './chunk-store.ts'
import { applyCommit } from './commit.ts'
import type { Commit, Sealed } from './commit.ts'
import { DayFigures, sparkOf } from './figures.ts'
import { Lateness } from './lateness.ts'
import { Listeners } from './listeners.ts'
import { memoryFrom } from './minute-buckets.ts'
import { openBooks } from './open-books.ts'
import type { Registered } from './registration.ts'
import { freshness, sessionOf, Sessions } from './session.ts'
import { Tail } from './tail.ts'
import { gapsOf, readTicks } from './tick-source.ts'
import type { LogEnd } from './writer.ts'

export type MarketFollowerParts = {
  db: Db
  clock: Clock
  /** SHA-256 of UTF-8 text as lower-case hex. */
  sha: Sha256Hex
  registered: readonly Registered[]
  /** Where the writer's log ends: it has hashed every tick of it. */
  end: LogEnd
  /** Whether the writer catches up with the time since the run before. */
  catchesUp: boolean
  /** Reports a listener that threw. */
  report: (what: string, error: unknown) => void
}

/** The market as HTTP, sockets and placing see it: it follows the writer's commits and writes no tick. */
export type MarketFollower = Market & {
  /** Words that find a product besides its code and names. */
  searchWords(id: string): readonly string[]
  /** @throws LogHoleError if a commit before it is missing */
  apply: (commit: Commit) => void
  applySealed: (sealed: Sealed) => void
}

/** The follower has missed a commit, so that what it shows would be wrong: it must be opened again. */
export class LogHoleError extends Error {
  override readonly name = 'LogHoleError'
  constructor(id: number, expected: number) {
    super(`flush ${id} came where flush ${expected} was due`)
  }
}

/** Goes on from where the writer's log ends. Nothing may be written meanwhile. */
export async function openMarketFollower(parts: MarketFollowerParts): Promise<MarketFollower> {
  const { db, clock, sha, registered, report } = parts
  const stores = { buckets: bucketReads(db), chunks: chunkReads(db) }
  let { newest } = parts.end
  const tails = new Map([...parts.end.tails].map(([ix, tail]) => [ix, Tail.unpack(tail)]))
  const lateness = new Lateness(parts.catchesUp)
  const opening = { db, sha, ...stores, tails, now: Math.max(clock.now(), newest.at) }
  const { books, minutesUntil } = await openBooks(opening, registered, 'day')
  let memoryUntil = minutesUntil
  const sessions = new Sessions(books, clock, report)
  const flushes = new Listeners<[Flush]>('a listener of ticks failed', report)
  const byId = new Map(books.map((book) => [book.settings.id, book]))
  const byIx = new Map(books.map((book) => [book.ix, book]))
  const candles = new CandleReader(stores.buckets)
  return {
    ...views(byId, () => newest.at, clock, lateness),
    ...readTicks(byId, stores.chunks, sha),
    candles: async (id, tf, to, limit) => candles.read(bookOf(byId, id), tf, to, limit),
    searchWords: (id) => bookOf(byId, id).search,
    onFlush: (listener) => flushes.add(listener),
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
    apply: (commit) => {
      if (commit.id !== newest.id + 1) throw new LogHoleError(commit.id, newest.id + 1)
      applyCommit(books, commit)
      newest = { id: commit.id, at: commit.at }
      if (commit.minutesUntil > memoryUntil) {
        memoryUntil = commit.minutesUntil
        for (const book of books) book.buckets.dropBefore(memoryFrom(memoryUntil))
      }
      flushes.notify(commit)
      sessions.look()
    },
    applySealed: (sealed) => {
      for (const { ix, after } of sealed) byIx.get(ix)?.tail.trim(after)
    },
  }
}

/** What memory answers at once. */
function views(byId: ReadonlyMap<string, Book>, watermark: () => number, clock: Clock, lateness: Lateness) {
  const day = new DayFigures()
  const book = (id: string): Book => bookOf(byId, id)
  return {
    ids: [...byId.keys()],
    settings: (id: string) => byId.get(id)?.settings,
    index: (id: string) => book(id).ix,
    figures: (id: string) => day.of(book(id), sessionOf(book(id), clock.now()), clock.now()),
    session: (id: string) => sessionOf(book(id), clock.now()),
    head: (id: string) => book(id).tail.head,
    watermark: (_id: string) => watermark(),
    lastTickAt: (id: string) => book(id).last.at,
    feedStatus: (_id: string) => freshness(clock.now() - watermark()),
    sources: (id: string) => book(id).sources,
    spark: async (id: string) => sparkOf(book(id), clock.now()),
    gaps: async (id: string) => gapsOf(book(id), watermark(), lateness.isGap(clock.now() - watermark())),
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
