import { asc, gte } from 'drizzle-orm'
import type { Sha256Hex } from '../../../contract/chain.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { tickBatch } from '../schema.ts'
import { unpackBatch, type BatchBlock } from './batch.ts'
import { hashAfter, type Scale } from './rehash.ts'
import { sliceColumns, type TickColumns } from './columns.ts'

/** A block and its flush. */
export type FlushedBlock = BatchBlock & { flush: { id: number; at: number } }

/**
 * The blocks of the flushes by product number, oldest first. A flush is deleted only when all its products are
 * compacted, so some ticks are stored twice for a while. A flush that cannot be read is skipped: recovering the log
 * reports it.
 */
export async function readFlushedBlocks(
  db: Db | DbTransaction,
  fromId = 0,
): Promise<Map<number, FlushedBlock[]>> {
  const blocks = new Map<number, FlushedBlock[]>()
  for (const { id, at, data } of await rowsFrom(db, fromId)) {
    for (const each of tryUnpack(at, data)) {
      const block = { ...each, flush: { id, at } }
      const list = blocks.get(block.ix)
      if (list) list.push(block)
      else blocks.set(block.ix, [block])
    }
  }
  return blocks
}

const rowsFrom = (db: Db | DbTransaction, id: number) =>
  db.select().from(tickBatch).where(gte(tickBatch.id, id)).orderBy(asc(tickBatch.id))

function tryUnpack(at: number, data: Buffer): BatchBlock[] {
  try {
    return unpackBatch(at, data)
  } catch {
    return []
  }
}

/**
 * The first block that differs from the compacted ticks, null if none does.
 * @param before the hash before the first of these ticks
 */
export function findMismatch(
  blocks: readonly FlushedBlock[],
  { before, ticks }: { before: string; ticks: TickColumns },
  scale: Scale,
  sha: Sha256Hex,
): FlushedBlock | null {
  let hash = before
  let checked = 0
  for (const block of blocks) {
    const { seq0, values, hash: committedHash } = block
    const from = seq0 - ticks.seq0
    const until = from + values.length / 3
    if (from < checked || until > ticks.at.length || !hasSameTicks(block, ticks, from)) return block
    hash = hashAfter(hash, scale, sliceColumns(ticks, checked, until), sha)
    checked = until
    if (hash !== committedHash) return block
  }
  return null
}

function hasSameTicks(block: BatchBlock, ticks: TickColumns, from: number): boolean {
  const { values, provenance: own } = block
  const { at, price, size, provenance } = ticks
  for (let i = 0; i < values.length; i += 3) {
    const n = from + i / 3
    if (values[i] !== at[n] || values[i + 1] !== price[n] || values[i + 2] !== size[n]) return false
    const isSameSource =
      (own?.ids[i / 3] ?? null) === (provenance?.ids[n] ?? null) &&
      (own?.at[i / 3] ?? 0) === (provenance?.at[n] ?? 0)
    if (!isSameSource) return false
  }
  return true
}
