import type { Sha256Hex } from '../../../contract/chain.ts'
import type { Gap } from '../../../contract/settle.ts'
import type { Market } from '../ports.ts'
import { requireProductState, watermarkOf, type ProductState } from '../productState.ts'
import type { ChunkReads } from '../log/chunkStore.ts'
import { lostAfterMs } from '../log/liveTicks.ts'
import { TickReader } from './ticks.ts'

type TickReads = Pick<Market, 'ticksAfter' | 'ticksBetween' | 'firstTick' | 'lastTick' | 'ticksUntil'>

/** The market's tick reads: from product states if the ticks are not compacted, else from chunks. */
export function createTickReads(
  byId: ReadonlyMap<string, ProductState>,
  chunks: ChunkReads,
  sha: Sha256Hex,
): TickReads {
  const ticks = new TickReader(chunks, sha)
  const stateOf = (id: string): ProductState => requireProductState(byId, id)
  return {
    ticksAfter: async (id, afterSeq, limit) => ticks.after(stateOf(id), afterSeq, limit),
    ticksBetween: async (id, from, to, limit) => ticks.between(stateOf(id), from, to, limit),
    firstTick: async (id, after, until) => ticks.firstTick(stateOf(id), after, until),
    lastTick: async (id, until) => ticks.lastTick(stateOf(id), until),
    ticksUntil: async (id, after, until, min) => ticks.ticksUntil(stateOf(id), after, until, min),
  }
}

/**
 * A product's gaps. If the log is so far behind that it will write one, or the source of a live product was not received
 * for so long that the time is lost, that gap is open and has no end yet.
 * @param flushedAt the instant of the newest flush
 * @param isInGap whether the log is that far behind
 */
export function gapsOf(state: ProductState, flushedAt: number, isInGap: boolean): Gap[] {
  const { gaps, dueFrom, feed } = state
  const watermark = watermarkOf(state, flushedAt)
  const isLost = feed.kind === 'live' && flushedAt - watermark > lostAfterMs
  if (!isInGap && !isLost) return [...gaps]
  return [...gaps, { from: Math.max(watermark, dueFrom), to: null }]
}
