import { asc } from 'drizzle-orm'
import { bucketOf } from '../../contract/candles.ts'
import { genesis } from '../../contract/chain.ts'
import type { Sha256Hex } from '../../contract/chain.ts'
import type { Gap } from '../../contract/settle.ts'
import type { Db } from '../db/database.ts'
import { feedGap } from '../db/schema/index.ts'
import { computedTicks, foldPast } from './backfill.ts'
import type { Backfill, Book } from './book.ts'
import { unpackHour, unpackMinute } from './bucket-rows.ts'
import { hourMs } from './bucket-store.ts'
import type { BucketReads } from './bucket-store.ts'
import { unpackChunk } from './chunk.ts'
import type { Chunk, ChunkReads } from './chunk-store.ts'
import type { TickColumns } from './columns.ts'
import { brokenChunk, LogCorruptError } from './corrupt.ts'
import { memoryFrom, MinuteBuckets, minuteMs } from './minute-buckets.ts'
import type { MinuteBucket } from './minute-buckets.ts'
import type { Registered } from './registration.ts'
import { Tail } from './tail.ts'

type Parts = {
  db: Db
  sha: Sha256Hex
  buckets: BucketReads
  chunks: ChunkReads
  tails: ReadonlyMap<number, Tail>
  now: number
}

/** The minutes that books hold: a day, or those alone that have no row yet. */
export type MinutesHeld = 'day' | 'unstored'

/** Opens the books of all products: their minutes, from where they are cheapest, and the newest price. */
export async function openBooks(
  parts: Parts,
  registered: readonly Registered[],
  held: MinutesHeld,
): Promise<{ books: Book[]; minutesUntil: number }> {
  const { db, now } = parts
  const keptUntil = (await parts.buckets.keptUntil()) ?? Number.NEGATIVE_INFINITY
  // The newest hour with rows may be older than memory goes: it is not sealed yet, so memory takes it in whole.
  const from = Math.min(memoryFrom(now), keptUntil < 0 ? now : bucketOf(keptUntil, hourMs))
  const kept = held === 'day' ? await keptMinutes(parts.buckets, from) : new Map<number, MinuteBucket[]>()
  const closes = held === 'day' ? await parts.buckets.closesBefore(from) : new Map<number, number>()
  const loose = groupBy(keptUntil < 0 ? [] : await parts.chunks.since(keptUntil), (chunk) => chunk.ix)
  const gaps = groupBy(await db.select().from(feedGap).orderBy(asc(feedGap.fromAt)), (gap) => gap.ix)
  const books: Book[] = []
  for (const each of registered) {
    const { ix } = each.row
    const holes = (gaps.get(ix) ?? []).map((gap): Gap => ({ from: gap.fromAt, to: gap.toAt }))
    const minutes = {
      held,
      from,
      until: keptUntil,
      kept: kept.get(ix) ?? [],
      closeBefore: closes.get(ix) ?? 0,
    }
    const book = openBook(parts, each, minutes, holes)
    for (const chunk of loose.get(ix) ?? []) await addChunk(book, chunk, keptUntil)
    addTail(book, keptUntil)
    book.last = await lastPrice(parts, book, each.row.firstAt)
    books.push(book)
  }
  const oldest = Math.min(...registered.map((each) => bucketOf(each.row.firstAt, minuteMs)))
  return { books, minutesUntil: Math.max(keptUntil, oldest) }
}

function openBook(
  parts: Parts,
  { product, row, epoch, dueFrom, sources, maintenance }: Registered,
  minutes: {
    held: MinutesHeld
    from: number
    until: number
    kept: readonly MinuteBucket[]
    closeBefore: number
  },
  gaps: Gap[],
): Book {
  const feed = product.source.open(epoch)
  // Only the first source can compute what was before it.
  const past = product.source.historyMs > 0 && sources.length === 1
  const backfill = past ? { from: row.firstAt - product.source.historyMs, firstAt: row.firstAt } : null
  const buckets = new MinuteBuckets()
  // From the minute of the first start on, rows say what was logged and computed; before it there is only the past.
  const firstMinute = bucketOf(row.firstAt, minuteMs)
  const pastFrom = minutes.held === 'day' ? minutes.from : Math.max(minutes.from, firstMinute)
  if (backfill) addPast(feed, backfill, buckets, pastFrom)
  if (minutes.until > firstMinute) buckets.dropFrom(firstMinute)
  for (const bucket of minutes.kept) buckets.push(bucket)
  if (minutes.closeBefore > 0) buckets.closeBefore = minutes.closeBefore
  const tail = parts.tails.get(row.ix) ?? new Tail(genesis(row.id, parts.sha), Number.NEGATIVE_INFINITY)
  const last = { at: row.firstAt, price: feed.openingPrice }
  return {
    ix: row.ix,
    settings: product.settings,
    search: product.search,
    feed,
    dueFrom,
    backfill,
    tail,
    buckets,
    last,
    gaps,
    sources,
    maintenance,
  }
}

function addPast(feed: Book['feed'], past: Backfill, into: MinuteBuckets, from: number): void {
  const older = feed.countAt(Math.min(from - 1, past.firstAt))
  if (older > 0) into.closeBefore = feed.tickOf(older - 1).price
  if (past.firstAt < from) return
  for (const _ of foldPast(feed, past, Math.max(past.from, from), into));
}

/** Minutes that rows keep from `from` on, by product, ascending. */
async function keptMinutes(store: BucketReads, from: number): Promise<Map<number, MinuteBucket[]>> {
  const kept = new Map<number, MinuteBucket[]>()
  const add = (ix: number, bucket: MinuteBucket): void => {
    const list = kept.get(ix)
    if (list) list.push(bucket)
    else kept.set(ix, [bucket])
  }
  for (const hour of await store.hoursSince(from)) {
    for (const bucket of unpackHour(hour.openAt, hour.minutes)) add(hour.ix, bucket)
  }
  for (const { openAt, data } of await store.minutes(from, Number.MAX_SAFE_INTEGER)) {
    for (const { ix, bucket } of unpackMinute(openAt, data)) add(ix, bucket)
  }
  return kept
}

/** Folds in what a chunk holds of minutes that have no row yet. */
async function addChunk(book: Book, chunk: Chunk, keptUntil: number): Promise<void> {
  const ticks = await unpacked(book.settings.id, chunk)
  for (let i = 0; i < ticks.at.length; i++) {
    const at = ticks.at[i] ?? 0
    if (at >= keptUntil) book.buckets.add(ticks.seq0 + i, at, ticks.price[i] ?? 0, ticks.size[i] ?? 0)
  }
}

function addTail(book: Book, keptUntil: number): void {
  const { seq0, at, price, size } = book.tail.slice(0, book.tail.count)
  for (let i = book.tail.indexAfter(keptUntil - 1); i < at.length; i++) {
    book.buckets.add(seq0 + i, at[i] ?? 0, price[i] ?? 0, size[i] ?? 0)
  }
}

/**
 * Reads the newest chunk of every product: the log goes on after it, so damage must be found before anything is written.
 * @throws LogCorruptError if a chunk's bytes are not those that were packed
 */
export async function assertNewestChunks(
  chunks: ChunkReads,
  products: Iterable<{ ix: number; id: string }>,
): Promise<void> {
  for (const { ix, id } of products) {
    const chunk = await chunks.newest(ix)
    if (chunk) await unpacked(id, chunk)
  }
}

/** The newest logged price, else the newest computed one, else the feed's first. */
async function lastPrice(parts: Parts, book: Book, firstAt: number): Promise<Book['last']> {
  const { tail, feed, backfill, ix } = book
  if (tail.count > 0) {
    const { at, price } = tail.slice(tail.count - 1, 1)
    return { at: at[0] ?? 0, price: price[0] ?? 0 }
  }
  const chunk = await parts.chunks.newest(ix)
  if (chunk) {
    const { at, price } = await unpacked(book.settings.id, chunk)
    return { at: at.at(-1) ?? 0, price: price.at(-1) ?? 0 }
  }
  if (backfill) {
    const { at, price } = computedTicks(feed, backfill, 0, 1)
    if (at[0] !== undefined) return { at: at[0], price: price[0] ?? 0 }
  }
  return { at: firstAt, price: feed.openingPrice }
}

/** @throws LogCorruptError if the chunk's bytes are not those that were packed */
async function unpacked(id: string, chunk: Chunk): Promise<TickColumns> {
  try {
    return await unpackChunk(chunk.seq0, chunk.data)
  } catch {
    throw new LogCorruptError(id, chunk.seq0, 'its bytes cannot be read', brokenChunk(chunk))
  }
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
