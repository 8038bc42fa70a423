import { eq } from 'drizzle-orm'
import type { ChainVersion, Sha256Hex } from '../../../contract/chain.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { productState } from '../schema.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import type { Flush, Market } from '../ports.ts'
import { requireProductState, watermarkOf, type ProductState } from '../productState.ts'
import { createBucketReads } from '../candles/bucketStore.ts'
import { CandleReader } from '../candles/candles.ts'
import { createChunkReads } from '../log/chunkStore.ts'
import { applyCommit, applyGaps, type Commit, type Compacted } from '../commit.ts'
import { TickerCalculator, isThin, sparkOf } from '../candles/ticker.ts'
import type { GapRow } from '../log/flushStore.ts'
import { GapDetector } from '../log/gapDetector.ts'
import { hashAfterBlock } from '../log/rehash.ts'
import { Listeners } from '../listeners.ts'
import { memoryFrom } from '../candles/minuteBuckets.ts'
import { openProductStates } from '../openProductStates.ts'
import type { RegisteredProduct } from '../registration.ts'
import { feedStatusOf, tradingHoursOf, TradingHoursWatcher } from '../tradingHours.ts'
import { Tail } from '../log/tail.ts'
import { Witnesses } from '../witnesses.ts'
import { gapsOf, createTickReads } from './tickSource.ts'
import type { LogEnd } from '../writer.ts'

export type MarketFollowerParts = {
  db: Db
  /** What is read to open it; default `db`. Needed if another process writes the log meanwhile. */
  snapshot?: DbTransaction
  clock: Clock
  /** SHA-256 of UTF-8 text as lower-case hex. */
  sha: Sha256Hex
  registered: readonly RegisteredProduct[]
  /** The end of the writer's log: the writer has verified its hashes. */
  end: LogEnd
  /** Whether the writer catches up with the time since the previous run. */
  isCatchingUp: boolean
  random: Random
  /** Reports a listener that threw. */
  report: (what: string, error: unknown) => void
}

/** The market for HTTP, sockets and order placement: it follows the writer's commits and never writes a tick. */
export type MarketFollower = Market &
  LogFollower & {
    /** Further search words of a product besides its code and names. */
    searchTerms(id: string): readonly string[]
    /** Reads again which products are in maintenance: another node may have changed it. */
    rereadMaintenance(): Promise<void>
  }

/** How a market follows the log. */
export type LogFollower = {
  /** Whether the commit's ticks and hashes continue those of this market: their chain is computed again. */
  continues: (commit: Pick<Commit, 'at' | 'blocks'>) => boolean
  /** @throws LogHoleError if a previous commit is missing */
  apply: (commit: Commit) => void
  applyGaps: (gaps: readonly GapRow[]) => void
  applyCompacted: (compacted: Compacted) => void
}

/** What others may use of a follower, and what only its log may. */
export function splitFollower({ continues, apply, applyGaps, applyCompacted, ...market }: MarketFollower): {
  market: Omit<MarketFollower, keyof LogFollower>
  log: LogFollower
} {
  return { market, log: { continues, apply, applyGaps, applyCompacted } }
}

/** The follower has missed a commit, so its data would be wrong: it must be opened again. */
export class LogHoleError extends Error {
  override readonly name = 'LogHoleError'
  constructor(id: number, expected: number) {
    super(`received flush ${id}, expected flush ${expected}`)
  }
}

/** Continues at the end of the writer's log. Nothing may be written until this resolves. */
export async function openMarketFollower(parts: MarketFollowerParts): Promise<MarketFollower> {
  const { db, clock, sha, registered, random, report } = parts
  const stores = { buckets: createBucketReads(db), chunks: createChunkReads(db) }
  const { snapshot = db } = parts
  const opened = { db: snapshot, buckets: createBucketReads(snapshot), chunks: createChunkReads(snapshot) }
  let { newest } = parts.end
  const tails = new Map([...parts.end.tails].map(([ix, tail]) => [ix, Tail.unpack(tail)]))
  const gapDetector = new GapDetector(parts.isCatchingUp)
  // Live feeds are only opened here, for their trading hours: the writer starts its own.
  const live = { clock, random, logLine: () => undefined }
  const opening = { ...opened, sha, tails, now: Math.max(clock.now(), newest.at), live }
  const { productStates, minutesUntil } = await openProductStates(opening, registered, 'day')
  let memoryUntil = minutesUntil
  const tradingHoursWatcher = new TradingHoursWatcher(productStates, clock, report)
  const flushes = new Listeners<[Flush]>('a tick listener failed', report)
  const byId = new Map(productStates.map((state) => [state.settings.id, state]))
  const byIx = new Map(productStates.map((state) => [state.ix, state]))
  const candles = new CandleReader(stores.buckets, stores.chunks)
  const witnesses = new Witnesses(byId, newest.at)
  let maintenanceChanges = 0
  return {
    ...createMemoryViews(byId, () => newest.at, clock, gapDetector),
    ...createTickReads(byId, stores.chunks, sha),
    candles: async (id, tf, to, limit) => candles.read(requireProductState(byId, id), tf, to, limit),
    witnessVerdict: (id) => witnesses.verdict(id),
    searchTerms: (id) => requireProductState(byId, id).searchTerms,
    onFlush: (listener) => flushes.add(listener),
    onTradingHours: (listener) => tradingHoursWatcher.onChange(listener),
    setMaintenance: async (id, on, opensAt, within) => {
      const state = requireProductState(byId, id)
      await db.transaction(async (tx) => {
        await saveMaintenance(tx, id, on, on ? opensAt : null)
        await within?.(tx)
      })
      maintenanceChanges += 1
      state.maintenance = on ? { opensAt } : null
      tradingHoursWatcher.check()
    },
    rereadMaintenance: async () => {
      const before = maintenanceChanges
      const stored = await readMaintenance(db)
      // One was changed here while they were being read.
      if (maintenanceChanges !== before) return
      for (const state of productStates) state.maintenance = stored.get(state.settings.id) ?? null
      tradingHoursWatcher.check()
    },
    continues: ({ at, blocks }) =>
      at > newest.at && blocks.every((block) => continuesChain(byIx.get(block.ix), block, sha)),
    applyGaps: (gaps) => applyGaps(productStates, gaps),
    apply: (commit) => {
      if (commit.id !== newest.id + 1) throw new LogHoleError(commit.id, newest.id + 1)
      applyCommit(productStates, commit)
      newest = { id: commit.id, at: commit.at }
      witnesses.apply(commit)
      if (commit.minutesUntil > memoryUntil) {
        memoryUntil = commit.minutesUntil
        for (const state of productStates) state.buckets.dropBefore(memoryFrom(memoryUntil))
      }
      flushes.notify(commit)
      tradingHoursWatcher.check()
    },
    applyCompacted: (compacted) => {
      for (const { ix, after } of compacted) {
        const tail = byIx.get(ix)?.tail
        // A node may be behind the chunks, or have trimmed these ticks before.
        if (tail && after.seq > tail.before.seq && after.seq <= tail.head.seq) tail.trim(after)
      }
    },
  }
}

/** @param state undefined for a product that this node does not have */
function continuesChain(
  state: ProductState | undefined,
  block: Commit['blocks'][number],
  sha: Sha256Hex,
): boolean {
  if (state === undefined) return true
  const { settings, tail } = state
  const { head } = tail
  return block.seq0 === head.seq + 1 && hashAfterBlock(head.hash, settings, block, sha) === block.hash
}

/** The reads that need no database. */
function createMemoryViews(
  byId: ReadonlyMap<string, ProductState>,
  flushedAt: () => number,
  clock: Clock,
  gapDetector: GapDetector,
) {
  const tickers = new TickerCalculator()
  const stateOf = (id: string): ProductState => requireProductState(byId, id)
  return {
    ids: [...byId.keys()],
    settings: (id: string) => byId.get(id)?.settings,
    index: (id: string) => stateOf(id).ix,
    ticker: (id: string) =>
      tickers.compute(stateOf(id), tradingHoursOf(stateOf(id), clock.now()), clock.now()),
    tradingHours: (id: string) => tradingHoursOf(stateOf(id), clock.now()),
    head: (id: string) => stateOf(id).tail.head,
    flushedAt,
    watermark: (id: string) => watermarkOf(stateOf(id), flushedAt()),
    chain: (id: string): ChainVersion => (stateOf(id).feed.kind === 'live' ? 2 : 1),
    lastTickAt: (id: string) => stateOf(id).last.at,
    feedStatus: (id: string) => feedStatusOf(clock.now() - watermarkOf(stateOf(id), flushedAt())),
    sources: (id: string) => stateOf(id).sources,
    isThin: (id: string) => isThin(stateOf(id).buckets),
    spark: async (id: string) => sparkOf(stateOf(id), clock.now()),
    gaps: async (id: string) =>
      gapsOf(stateOf(id), flushedAt(), gapDetector.isGap(clock.now() - flushedAt())),
  }
}

/** The products in maintenance. */
async function readMaintenance(db: Db): Promise<ReadonlyMap<string, { opensAt: number | null }>> {
  const { id, opensAt } = productState
  const rows = await db.select({ id, opensAt }).from(productState).where(eq(productState.maintenance, true))
  return new Map(rows.map((row) => [row.id, { opensAt: row.opensAt }]))
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
