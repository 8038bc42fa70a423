import { asc } from 'drizzle-orm'
import { bucketOf } from '../../contract/candles.ts'
import { genesis, type Sha256Hex } from '../../contract/chain.ts'
import type { Gap } from '../../contract/settle.ts'
import { hourMs, minuteMs } from '../../contract/time.ts'
import type { Db, DbTransaction } from '../platform/db/database.ts'
import { feedGap } from './schema.ts'
import type { Feed, LiveParts } from './feed/feed.ts'
import type { MarketProduct } from './feed/loadProducts.ts'
import type { StandbyFeeds } from './feed/standbyFeed.ts'
import { computedTicks, foldSeedHistory } from './seedHistory.ts'
import type { SeedHistory, ProductState } from './productState.ts'
import { unpackHour, unpackMinute } from './candles/bucketRows.ts'
import type { BucketReads } from './candles/bucketStore.ts'
import { ticksOfChunk } from './log/chunk.ts'
import type { Chunk, ChunkReads } from './log/chunkStore.ts'
import { memoryFrom, MinuteBuckets, type MinuteBucket } from './candles/minuteBuckets.ts'
import type { RegisteredProduct } from './registration.ts'
import { Tail } from './log/tail.ts'

type Parts = {
  db: Db | DbTransaction
  sha: Sha256Hex
  buckets: BucketReads
  chunks: ChunkReads
  tails: ReadonlyMap<number, Tail>
  now: number
  live: LiveParts & { standbyFeeds?: StandbyFeeds }
}

/** The minutes that product states have in memory: a day, or only those without a row. */
export type MinutesInMemory = 'day' | 'unstored'

/** Opens the states of all products: their minutes, each from its cheapest source, and the newest price. */
export async function openProductStates(
  parts: Parts,
  registered: readonly RegisteredProduct[],
  inMemory: MinutesInMemory,
): Promise<{ productStates: ProductState[]; minutesUntil: number }> {
  const { db, now } = parts
  const storedUntil = (await parts.buckets.storedUntil()) ?? Number.NEGATIVE_INFINITY
  // The newest stored hour may start before the memory window: it is not compacted yet, so memory needs all of it.
  const from = Math.min(memoryFrom(now), storedUntil < 0 ? now : bucketOf(storedUntil, hourMs))
  const stored =
    inMemory === 'day' ? await readStoredMinutes(parts.buckets, from) : new Map<number, MinuteBucket[]>()
  const closes = inMemory === 'day' ? await parts.buckets.closesBefore(from) : new Map<number, number>()
  const unstoredChunks = groupBy(
    storedUntil < 0 ? [] : await parts.chunks.since(storedUntil),
    (chunk) => chunk.ix,
  )
  const gaps = groupBy(await db.select().from(feedGap).orderBy(asc(feedGap.fromAt)), (gap) => gap.ix)
  const productStates: ProductState[] = []
  for (const each of registered) {
    const { ix } = each.row
    const productGaps = (gaps.get(ix) ?? []).map((gap): Gap => ({ from: gap.fromAt, to: gap.toAt }))
    const minutes = {
      inMemory,
      from,
      until: storedUntil,
      stored: stored.get(ix) ?? [],
      closeBefore: closes.get(ix) ?? 0,
    }
    const state = openProductState(parts, each, minutes, productGaps)
    for (const chunk of unstoredChunks.get(ix) ?? []) await addChunk(state, chunk, storedUntil)
    addTail(state, storedUntil)
    state.last = await readLastPrice(parts, state, each.row.firstAt)
    productStates.push(state)
  }
  const oldest = Math.min(...registered.map((each) => bucketOf(each.row.firstAt, minuteMs)))
  return { productStates, minutesUntil: Math.max(storedUntil, oldest) }
}

function openProductState(
  parts: Parts,
  { product, row, epoch, dueFrom, sources, maintenance }: RegisteredProduct,
  minutes: {
    inMemory: MinutesInMemory
    from: number
    until: number
    stored: readonly MinuteBucket[]
    closeBefore: number
  },
  gaps: Gap[],
): ProductState {
  const { feed, historyMs } = openFeed(product, epoch, parts.live)
  // Only the first source can compute the time before it.
  const seedHistory =
    feed.kind === 'computed' && historyMs > 0 && sources.length === 1
      ? { feed, from: row.firstAt - historyMs, firstAt: row.firstAt }
      : null
  const buckets = new MinuteBuckets()
  // From the minute of the first start on, rows have the logged and computed ticks; before it all ticks are computed.
  const firstMinute = bucketOf(row.firstAt, minuteMs)
  const historyFrom = minutes.inMemory === 'day' ? minutes.from : Math.max(minutes.from, firstMinute)
  if (seedHistory) addSeedHistory(seedHistory, buckets, historyFrom)
  if (minutes.until > firstMinute) buckets.dropFrom(firstMinute)
  for (const bucket of minutes.stored) buckets.push(bucket)
  if (minutes.closeBefore > 0) buckets.closeBefore = minutes.closeBefore
  const tail = parts.tails.get(row.ix) ?? new Tail(genesis(row.id, parts.sha), Number.NEGATIVE_INFINITY)
  const last = { at: row.firstAt, price: feed.openingPrice ?? 0 }
  return {
    ix: row.ix,
    settings: product.settings,
    searchTerms: product.searchTerms,
    feed,
    dueFrom,
    coveredUntil: dueFrom,
    seedHistory,
    tail,
    buckets,
    last,
    gaps,
    sources,
    maintenance,
  }
}

function openFeed(
  { settings, source }: MarketProduct,
  epoch: number,
  live: Parts['live'],
): { feed: Feed; historyMs: number } {
  return source.kind === 'live'
    ? { feed: live.standbyFeeds?.get(settings.id) ?? source.open(live), historyMs: 0 }
    : { feed: source.open(epoch), historyMs: source.historyMs }
}

function addSeedHistory(history: SeedHistory, into: MinuteBuckets, from: number): void {
  const { feed } = history
  const older = feed.countAt(Math.min(from - 1, history.firstAt))
  if (older > 0) into.closeBefore = feed.tickOf(older - 1).price
  if (history.firstAt < from) return
  for (const _ of foldSeedHistory(history, Math.max(history.from, from), into));
}

/** The stored minutes from `from` on, by product number, ascending. */
async function readStoredMinutes(store: BucketReads, from: number): Promise<Map<number, MinuteBucket[]>> {
  const stored = new Map<number, MinuteBucket[]>()
  const add = (ix: number, bucket: MinuteBucket): void => {
    const list = stored.get(ix)
    if (list) list.push(bucket)
    else stored.set(ix, [bucket])
  }
  for (const hour of await store.hoursSince(from)) {
    for (const bucket of unpackHour(hour.openAt, hour.minutes)) add(hour.ix, bucket)
  }
  for (const { openAt, data } of await store.minutes(from, Number.MAX_SAFE_INTEGER)) {
    for (const { ix, bucket } of unpackMinute(openAt, data)) add(ix, bucket)
  }
  return stored
}

/** Adds the ticks of a chunk whose minutes have no row yet. */
async function addChunk(state: ProductState, chunk: Chunk, storedUntil: number): Promise<void> {
  const ticks = await ticksOfChunk(state.settings.id, chunk)
  for (let i = 0; i < ticks.at.length; i++) {
    const at = ticks.at[i] ?? 0
    if (at >= storedUntil) state.buckets.add(ticks.seq0 + i, at, ticks.price[i] ?? 0, ticks.size[i] ?? 0)
  }
}

function addTail(state: ProductState, storedUntil: number): void {
  const { seq0, at, price, size } = state.tail.slice(0, state.tail.count)
  for (let i = state.tail.indexAfter(storedUntil - 1); i < at.length; i++) {
    state.buckets.add(seq0 + i, at[i] ?? 0, price[i] ?? 0, size[i] ?? 0)
  }
}

/**
 * Checks the newest chunk of every product: the log continues after it, so damage must be found before any write.
 * @throws LogCorruptError if a chunk's bytes are not those that were packed
 */
export async function assertNewestChunks(
  chunks: ChunkReads,
  products: Iterable<{ ix: number; id: string }>,
): Promise<void> {
  for (const { ix, id } of products) {
    const chunk = await chunks.newest(ix)
    if (chunk) await ticksOfChunk(id, chunk)
  }
}

/** The newest logged price, else the newest computed one, else the feed's first. */
async function readLastPrice(
  parts: Parts,
  state: ProductState,
  firstAt: number,
): Promise<ProductState['last']> {
  const { tail, feed, seedHistory, ix } = state
  if (tail.count > 0) {
    const { at, price } = tail.slice(tail.count - 1, 1)
    return { at: at[0] ?? 0, price: price[0] ?? 0 }
  }
  const chunk = await parts.chunks.newest(ix)
  if (chunk) {
    const { at, price } = await ticksOfChunk(state.settings.id, chunk)
    return { at: at.at(-1) ?? 0, price: price.at(-1) ?? 0 }
  }
  if (seedHistory) {
    const { at, price } = computedTicks(seedHistory, 0, 1)
    if (at[0] !== undefined) return { at: at[0], price: price[0] ?? 0 }
  }
  return { at: firstAt, price: feed.openingPrice ?? 0 }
}

function groupBy<T>(rows: readonly T[], key: (row: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>()
  for (const row of rows) {
    const group = groups.get(key(row))
    if (group) group.push(row)
    else groups.set(key(row), [row])
  }
  return groups
}
