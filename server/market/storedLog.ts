import { asc } from 'drizzle-orm'
import type { Sha256Hex } from '../../contract/chain.ts'
import type { Gap } from '../../contract/settle.ts'
import type { Db } from '../platform/db/database.ts'
import { feedGap } from './schema.ts'
import type { TickSource } from './ports.ts'
import { createChunkReads } from './log/chunkStore.ts'
import { keepChunks } from './log/keptChunks.ts'
import { recoverLog } from './log/tailRecovery.ts'
import { TickReader, type LoggedTicks } from './read/ticks.ts'
import { readSources } from './registration.ts'

/** The stored log of every product that it ever had, for settling again: no feed, no product table, no writer. */
export type StoredLog = Omit<TickSource, 'settings' | 'onFlush'>

/** @throws LogCorruptError if the ticks that are not compacted yet cannot be verified */
export async function openStoredLog(db: Db, sha: Sha256Hex): Promise<StoredLog> {
  const { products, tails, newest, watermarks } = await recoverLog(db, sha)
  const sources = await readSources(db)
  const gaps = new Map<number, Gap[]>()
  for (const { ix, fromAt, toAt } of await db.select().from(feedGap).orderBy(asc(feedGap.fromAt))) {
    const list = gaps.get(ix) ?? []
    list.push({ from: fromAt, to: toAt })
    gaps.set(ix, list)
  }
  const byId = new Map<string, LoggedTicks>()
  for (const { ix, id } of products.values()) {
    const tail = tails.get(ix)
    if (tail) byId.set(id, { ix, tail, settings: { id } })
  }
  const logged = (id: string): LoggedTicks => {
    const product = byId.get(id)
    if (!product) throw new Error(`the log has no product ${id}`)
    return product
  }
  const reader = new TickReader(keepChunks(createChunkReads(db)), sha)
  return {
    sources: (id) => sources.get(logged(id).ix) ?? [],
    watermark: (id) => watermarks.get(logged(id).ix) ?? newest?.at ?? 0,
    gaps: async (id) => gaps.get(logged(id).ix) ?? [],
    firstTick: async (id, after, until) => reader.firstTick(logged(id), after, until),
    lastTick: async (id, until) => reader.lastTick(logged(id), until),
    ticksUntil: async (id, after, until, min) => reader.ticksUntil(logged(id), after, until, min),
  }
}
