import { and, asc, desc, eq, gt, gte, isNotNull, lt, sql } from 'drizzle-orm'
import type { Head, Sha256Hex } from '../../../contract/chain.ts'
import { hourMs } from '../../../contract/time.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { feedGap, feedProduct, logCut, logResume, productState, tickBatch, tickChunk } from '../schema.ts'
import { unpackWatermarks, type BatchBlock } from './batch.ts'
import { createChunkStore, type Chunk } from './chunkStore.ts'
import type { BrokenRow, LogCorruptError } from '../../platform/logCorruptError.ts'
import { createFlushStore, type GapRow } from './flushStore.ts'
import { hashAfterBlock, type Scale } from './rehash.ts'
import { readFlushedBlocks } from './flushedBlocks.ts'
import { compactTail } from './chunkCompactor.ts'
import { recoverLog } from './tailRecovery.ts'

export type CutParts = {
  db: Db
  fence: Fence
  sha: Sha256Hex
  now: number
  /** The actor recorded in the log of acts. */
  actor: string
  /** Writes a row of the log of acts, in the transaction of the cut. */
  recordAct: (tx: DbTransaction, act: CutAct) => Promise<void>
}

export type CutAct = {
  actor: string
  act: string
  subject: { kind: string; id: string }
  details: Record<string, string | number | boolean | null>
}

export type CutReport = { flushes: number; chunks: number; gaps: number }

/** An instant further ahead of now than this is damage, not a clock that ran ahead. */
const clockAheadMaxMs = hourMs

/**
 * Moves the broken row out of the log: a chunk alone, a flush with every flush after it, since the hashes after it
 * cannot be verified. All rows stay in `cut_batch` and `cut_chunk`. The time becomes a gap of each product that loses
 * ticks, so the next start refunds the open orders in it; settled orders stay. The chain continues after the head that
 * was public before, so no tick number is used twice. Runs in one transaction, with its row in the act log.
 */
export async function cutLog(parts: CutParts, violation: LogCorruptError): Promise<CutReport> {
  const { db, fence, actor, now, recordAct } = parts
  const { place, why, row } = violation
  return fence.transaction(db, async (tx) => {
    await tx.execute(sql`SELECT set_config('uptick.prune', 'on', true)`)
    const [inserted] = await tx.insert(logCut).values({ at: now, place, why }).returning({ id: logCut.id })
    const cutId = inserted?.id ?? 0
    const report =
      row.kind === 'flush' ? await cutFlushes(parts, tx, cutId, row.id) : await cutChunk(tx, cutId, row)
    await recordAct(tx, {
      actor,
      act: 'log cut',
      subject: { kind: 'log', id: place },
      details: { command: `log cut --at ${place}`, why, cut: cutId, ...report },
    })
    return report
  })
}

async function cutFlushes(
  { fence, sha, now }: CutParts,
  tx: DbTransaction,
  cutId: number,
  id: number,
): Promise<CutReport> {
  const cutBlocks = await readFlushedBlocks(tx, id)
  const { rows } = await tx.execute<{ at: number }>(sql`
    INSERT INTO cut_batch SELECT ${cutId}::bigint, id, at, data, term FROM tick_batch WHERE id >= ${id}::bigint
    RETURNING at`)
  await tx.delete(tickBatch).where(gte(tickBatch.id, id))
  // Throws if the hashes of the remaining log do not match.
  const { products, tails, newest, watermarks } = await recoverLog(tx, sha)
  const plausible = rows.map(({ at }) => at).filter((at) => at <= now + clockAheadMaxMs)
  const to = Math.max(now, newest?.at ?? 0, ...plausible)
  const retired = await retiredIds(tx)
  const gaps: GapRow[] = []
  const chunks: Chunk[] = []
  for (const product of products.values()) {
    const tail = tails.get(product.ix)
    if (!tail) continue
    const resume = publicHead(product, tail.head, cutBlocks.get(product.ix) ?? [], sha)
    if (resume) await insertResumePoint(tx, cutId, product.ix, resume, to)
    if (retired.has(product.id)) continue
    const ticks = tail.slice(0, tail.count)
    const covered = Math.max(
      watermarks.get(product.ix) ?? newest?.at ?? product.firstAt,
      ticks.at.at(-1) ?? tail.beforeAt,
    )
    const gap = await uncoveredGap(tx, { ix: product.ix, fromAt: covered, toAt: to })
    if (gap) gaps.push(gap)
  }
  // Compacted now: ticks that are not compacted must have consecutive numbers.
  for (const [ix, tail] of tails) if (tail.count > 0) chunks.push((await compactTail(ix, tail)).chunk)
  // An empty flush continues the watermark, with the number of the first flush that was cut.
  const next = (newest?.id ?? id - 1) + 1
  await createChunkStore(tx, fence).compact(chunks)
  await createFlushStore(tx, fence).write({ id: next, at: to, data: Buffer.alloc(0), minutes: [], gaps })
  return { flushes: rows.length, chunks: 0, gaps: gaps.length }
}

/**
 * The newest trusted head of a product in the flushes that were cut, null if there is none. A block is trusted if its
 * hash follows from the block before it, or if its number follows the remaining log.
 */
function publicHead(
  product: Scale,
  remaining: Head,
  blocks: readonly BatchBlock[],
  sha: Sha256Hex,
): Head | null {
  let newest: Head | null = null
  let before: Head | null = null
  for (const block of blocks) {
    const { seq0, values, hash } = block
    const end = { seq: seq0 + values.length / 3 - 1, hash }
    const isLinked: boolean =
      before !== null && seq0 === before.seq + 1 && hashAfterBlock(before.hash, product, block, sha) === hash
    if ((isLinked || seq0 === remaining.seq + 1) && end.seq > (newest ?? remaining).seq) newest = end
    before = end
  }
  return newest
}

async function cutChunk(
  tx: DbTransaction,
  cutId: number,
  { ix, seq0 }: BrokenRow & { kind: 'chunk' },
): Promise<CutReport> {
  const isBroken = and(eq(tickChunk.ix, ix), eq(tickChunk.seq0, seq0))
  const adjacent = (condition: ReturnType<typeof gt>, order: ReturnType<typeof asc>) =>
    tx
      .select()
      .from(tickChunk)
      .where(and(eq(tickChunk.ix, ix), condition))
      .orderBy(order)
      .limit(1)
  const [chunk] = await tx.select().from(tickChunk).where(isBroken)
  const [product] = await tx.select().from(feedProduct).where(eq(feedProduct.ix, ix))
  if (!chunk || !product) throw new Error(`there is no chunk ${seq0} of product ${ix}`)
  const [before] = await adjacent(lt(tickChunk.seq0, seq0), desc(tickChunk.seq0))
  const [after] = await adjacent(gt(tickChunk.seq0, seq0), asc(tickChunk.seq0))
  await tx.execute(sql`
    INSERT INTO cut_chunk SELECT ${cutId}::bigint, ix, seq0, seq1, at0, at1, hash_before, hash_after, data FROM tick_chunk WHERE ix = ${ix} AND seq0 = ${seq0}::bigint`)
  await tx.delete(tickChunk).where(isBroken)
  const blocks = (await readFlushedBlocks(tx)).get(ix) ?? []
  const report = { flushes: 0, chunks: 1, gaps: 0 }
  // The flushes still have all its ticks: they are compacted again.
  if (!after && blocks.some((block) => block.seq0 === seq0)) return report
  const next = blocks.find((block) => block.seq0 > chunk.seq1)
  const watermark = await readWatermark(tx, ix)
  const to = Math.min(watermark, (after?.at0 ?? next?.values[0] ?? watermark + 1) - 1)
  const hasPlausibleEnd = next ? next.seq0 === chunk.seq1 + 1 : chunk.seq1 >= seq0
  if (!after && hasPlausibleEnd) {
    await insertResumePoint(tx, cutId, ix, { seq: chunk.seq1, hash: chunk.hashAfter.toString('hex') }, to)
  }
  const from = seq0 === (before?.seq1 ?? 0) + 1 ? (before?.at1 ?? product.firstAt) : chunk.at0 - 1
  const gap = await uncoveredGap(tx, { ix, fromAt: from, toAt: to })
  if (!gap) return report
  await tx.insert(feedGap).values(gap)
  return { ...report, gaps: 1 }
}

async function insertResumePoint(
  tx: DbTransaction,
  cutId: number,
  ix: number,
  head: Head,
  at: number,
): Promise<void> {
  await tx.insert(logResume).values({ cutId, ix, seq: head.seq, at, hash: Buffer.from(head.hash, 'hex') })
}

/** The part of a gap that no earlier gap covers; null if all of it is covered. */
async function uncoveredGap(tx: DbTransaction, { ix, fromAt, toAt }: GapRow): Promise<GapRow | null> {
  const gaps = await tx.select().from(feedGap).where(eq(feedGap.ix, ix)).orderBy(asc(feedGap.fromAt))
  const from = gaps.reduce((at, gap) => (gap.fromAt <= at && gap.toAt > at ? gap.toAt : at), fromAt)
  return from < toAt ? { ix, fromAt: from, toAt } : null
}

async function readWatermark(tx: DbTransaction, ix: number): Promise<number> {
  const [row] = await tx.select().from(tickBatch).orderBy(desc(tickBatch.id)).limit(1)
  return row ? (unpackWatermarks(row.at, row.data).get(ix) ?? row.at) : 0
}

/** Products that left the table: their log ended before the cut. */
async function retiredIds(tx: DbTransaction): Promise<ReadonlySet<string>> {
  const rows = await tx
    .select({ id: productState.id })
    .from(productState)
    .where(isNotNull(productState.retiredAt))
  return new Set(rows.map(({ id }) => id))
}
