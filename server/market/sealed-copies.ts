import { asc } from 'drizzle-orm'
import type { Sha256Hex } from '../../contract/chain.ts'
import type { Db } from '../db/database.ts'
import { tickBatch } from '../db/schema/index.ts'
import { unpackBatch } from './batch.ts'
import type { BatchBlock } from './batch.ts'
import { hashAfter } from './rehash.ts'
import type { Scale } from './rehash.ts'
import type { TickColumns } from './columns.ts'

/**
 * What the flushes hold, product by product, oldest first. A flush stays until every product of it is sealed, so that
 * some ticks are kept twice for a while. A flush that cannot be read is left out: recovering the log names it.
 */
export async function flushedBlocks(db: Db): Promise<Map<number, BatchBlock[]>> {
  const blocks = new Map<number, BatchBlock[]>()
  for (const { at, data } of await db.select().from(tickBatch).orderBy(asc(tickBatch.id))) {
    for (const block of readable(at, data)) {
      const list = blocks.get(block.ix)
      if (list) list.push(block)
      else blocks.set(block.ix, [block])
    }
  }
  return blocks
}

function readable(at: number, data: Buffer): BatchBlock[] {
  try {
    return unpackBatch(at, data)
  } catch {
    return []
  }
}

/** The first tick of a sealed run, whose hash before it is given, that a flush has otherwise; null where none has. */
export function copyFault(
  blocks: readonly BatchBlock[],
  { before, ticks }: { before: string; ticks: TickColumns },
  scale: Scale,
  sha: Sha256Hex,
): number | null {
  let hash = before
  let checked = 0
  for (const { seq0, values, hash: told } of blocks) {
    const from = seq0 - ticks.seq0
    const until = from + values.length / 3
    if (from < checked || until > ticks.at.length || !sameTicks(values, ticks, from)) return seq0
    const { at, price, size } = ticks
    const span = [checked, until] as const
    const part = { at: at.subarray(...span), price: price.subarray(...span), size: size.subarray(...span) }
    hash = hashAfter(hash, scale, { seq0: ticks.seq0 + checked, ...part }, sha)
    checked = until
    if (hash !== told) return seq0
  }
  return null
}

function sameTicks(values: readonly number[], { at, price, size }: TickColumns, from: number): boolean {
  for (let i = 0; i < values.length; i += 3) {
    const n = from + i / 3
    if (values[i] !== at[n] || values[i + 1] !== price[n] || values[i + 2] !== size[n]) return false
  }
  return true
}
