import { and, asc, eq, gt, lte } from 'drizzle-orm'
import { genesis, type Head, type Sha256Hex } from '../../../contract/chain.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { feedProduct, tickChunk } from '../schema.ts'
import { unpackChunk } from './chunk.ts'
import type { Chunk } from './chunkStore.ts'
import { brokenChunk, LogCorruptError, type BrokenRow } from '../../platform/logCorruptError.ts'
import { hashAfter } from './rehash.ts'
import { findMismatch, readFlushedBlocks, type FlushedBlock } from './flushedBlocks.ts'
import { recoverLog, type LoggedProduct } from './tailRecovery.ts'

export type LogCheck = { chunks: number; ticks: number; violations: LogCorruptError[] }
/** The end of the chunks of a product that are verified. */
export type VerifiedHead = Head & { at: number }
/** What was verified, and how far each product now is. */
export type ChunkCheck = LogCheck & { heads: Map<number, VerifiedHead> }

const chunksPerRead = 32

/**
 * Verifies the whole tick log of every product: the chunks, then the ticks that are not compacted. A violation is a
 * place where the hashes do not match, or where a flush and a chunk store the same tick differently. Holes left by
 * pruning are not violations: the hashes on both sides are stored.
 */
export async function verifyLog(
  db: Db | DbTransaction,
  sha: Sha256Hex,
  onProgress: (chunks: number, ticks: number) => void = () => undefined,
): Promise<LogCheck> {
  const flushed = await readFlushedBlocks(db)
  const check = await verifyChunks(db, sha, { flushed, onProgress })
  try {
    const { tails } = await recoverLog(db, sha)
    for (const tail of tails.values()) check.ticks += tail.count
  } catch (error) {
    if (!(error instanceof LogCorruptError)) throw error
    check.violations.push(error)
  }
  return check
}

type ChunkCheckOptions = {
  /** Where each product is verified up to already; others from their beginning. */
  from?: ReadonlyMap<number, VerifiedHead>
  /** Verifies again what was verified up to these heads, and nothing after them; products without one are left out. */
  until?: ReadonlyMap<number, VerifiedHead>
  /** What the flushes still have of the same ticks. */
  flushed?: ReadonlyMap<number, readonly FlushedBlock[]>
  onProgress?: (chunks: number, ticks: number) => void
  /** Waited for after each chunk; false ends the check there. */
  pause?: () => Promise<boolean>
}

/** Verifies the chunks of every product, without the ticks that are not compacted. */
export async function verifyChunks(
  db: Db | DbTransaction,
  sha: Sha256Hex,
  { from, until, flushed, onProgress = () => undefined, pause = async () => true }: ChunkCheckOptions,
): Promise<ChunkCheck> {
  const check: ChunkCheck = { chunks: 0, ticks: 0, violations: [], heads: new Map(from) }
  const products = await db.select().from(feedProduct).orderBy(asc(feedProduct.ix))
  for (const product of products) {
    const verified = until?.get(product.ix) ?? null
    if (until && verified === null) continue
    const context = { sha, flushed: flushed?.get(product.ix) ?? [], verified, onProgress, pause }
    if (!(await verifyProduct(db, product, context, check))) break
  }
  return check
}

type VerifyContext = {
  sha: Sha256Hex
  flushed: readonly FlushedBlock[]
  /** The head to stop at; null: the newest. */
  verified: VerifiedHead | null
  onProgress: (chunks: number, ticks: number) => void
  pause: () => Promise<boolean>
}

/** Returns false if it was ended before the newest chunk. */
async function verifyProduct(
  db: Db | DbTransaction,
  product: LoggedProduct,
  context: VerifyContext,
  check: ChunkCheck,
): Promise<boolean> {
  const endSeq = context.verified?.seq ?? Number.MAX_SAFE_INTEGER
  let head: VerifiedHead = check.heads.get(product.ix) ?? { ...genesis(product.id, context.sha), at: 0 }
  for (;;) {
    const chunks = await db
      .select()
      .from(tickChunk)
      .where(and(eq(tickChunk.ix, product.ix), gt(tickChunk.seq0, head.seq), lte(tickChunk.seq0, endSeq)))
      .orderBy(asc(tickChunk.seq0))
      .limit(chunksPerRead)
    if (chunks.length === 0) return true
    context.onProgress(check.chunks, check.ticks)
    for (const chunk of chunks) {
      const violation = await checkChunk(chunk, product, head, context)
      if (violation) {
        const { why, fromSeq = chunk.seq0, row = brokenChunk(chunk) } = violation
        check.violations.push(new LogCorruptError(product.id, fromSeq, why, row))
      }
      check.chunks++
      check.ticks += chunk.seq1 - chunk.seq0 + 1
      head = { seq: Math.max(chunk.seq0, chunk.seq1), hash: chunk.hashAfter.toString('hex'), at: chunk.at1 }
      check.heads.set(product.ix, head)
      if (!(await context.pause())) return false
    }
  }
}

type Violation = { why: string; fromSeq?: number; row?: BrokenRow }

async function checkChunk(
  chunk: Chunk,
  product: LoggedProduct,
  head: VerifiedHead,
  { sha, flushed, verified }: VerifyContext,
): Promise<Violation | null> {
  const before = chunk.hashBefore.toString('hex')
  if (chunk.at0 < head.at) return { why: 'it starts before the previous chunk ends' }
  if (chunk.seq0 === head.seq + 1 && before !== head.hash) {
    return { why: 'it does not follow the ticks before it' }
  }
  const ticks = await unpackChunk(chunk.seq0, chunk.data).catch(() => null)
  if (!ticks) return { why: 'its bytes cannot be read' }
  const { at } = ticks
  if (at.length !== chunk.seq1 - chunk.seq0 + 1) return { why: 'ticks are missing' }
  if (at[0] !== chunk.at0 || at.at(-1) !== chunk.at1) return { why: 'its times differ' }
  if (hashAfter(before, product, ticks, sha) !== chunk.hashAfter.toString('hex')) {
    return { why: 'its hash differs' }
  }
  if (chunk.seq1 === verified?.seq && chunk.hashAfter.toString('hex') !== verified.hash)
    return { why: 'it is not the one that was verified before' }
  const copies = flushed.filter(({ seq0 }) => seq0 >= chunk.seq0 && seq0 <= chunk.seq1)
  const copy = findMismatch(copies, { before, ticks }, product, sha)
  if (copy === null) return null
  return { why: 'its flush differs', fromSeq: copy.seq0, row: { kind: 'flush', ...copy.flush } }
}

/** The oldest violation of a check: the only one that may be cut. */
export const firstViolation = ({ violations }: LogCheck): LogCorruptError | null =>
  violations.toSorted((a, b) => a.row.at - b.row.at || a.place.localeCompare(b.place))[0] ?? null
