import type { LoggedEnd, StandbyFeeds } from './feed/standbyFeed.ts'
import { unpackChunk } from './log/chunk.ts'
import type { ChunkReads } from './log/chunkStore.ts'
import type { RecoveredLog } from './log/tailRecovery.ts'

/**
 * Compares each feed of a node that stood by with the log of the leader before it.
 * @returns the ids of the products whose feed continues the log without a gap
 */
export async function takeOverFeeds(
  feeds: StandbyFeeds,
  log: RecoveredLog,
  chunks: Pick<ChunkReads, 'newest'>,
): Promise<ReadonlySet<string>> {
  const continued = new Set<string>()
  for (const { ix, id } of log.products.values()) {
    const feed = feeds.get(id)
    if (feed?.takeOver(await loggedEndOf(log, ix, chunks)) === true) continued.add(id)
  }
  return continued
}

async function loggedEndOf(
  { tails, watermarks, newest }: RecoveredLog,
  ix: number,
  chunks: Pick<ChunkReads, 'newest'>,
): Promise<LoggedEnd> {
  const watermark = watermarks.get(ix) ?? newest?.at ?? 0
  const tail = tails.get(ix)
  const columns = tail && tail.count > 0 ? tail.slice(tail.count - 1, 1) : await newestChunk(ix, chunks)
  const sourceId = columns?.provenance?.ids.at(-1) ?? null
  if (!columns || sourceId === null) return { tick: null, watermark }
  const tick = {
    price: columns.price.at(-1) ?? 0,
    size: columns.size.at(-1) ?? 0,
    sourceId,
    sourceAt: columns.provenance?.at.at(-1) ?? 0,
  }
  return { tick, watermark }
}

async function newestChunk(ix: number, chunks: Pick<ChunkReads, 'newest'>) {
  const chunk = await chunks.newest(ix)
  return chunk && unpackChunk(chunk.seq0, chunk.data)
}
