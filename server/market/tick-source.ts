import type { Sha256Hex } from '../../contract/chain.ts'
import type { Gap } from '../../contract/settle.ts'
import type { Market } from '../ports.ts'
import { bookOf } from './book.ts'
import type { Book } from './book.ts'
import type { ChunkReads } from './chunk-store.ts'
import { TickReader } from './ticks.ts'

type Reads = Pick<Market, 'ticksAfter' | 'ticksBetween' | 'firstTick' | 'lastTick'>

/** The calls of the market that read ticks: books for what is not sealed, chunks for the rest. */
export function readTicks(byId: ReadonlyMap<string, Book>, chunks: ChunkReads, sha: Sha256Hex): Reads {
  const ticks = new TickReader(chunks, sha)
  const book = (id: string): Book => bookOf(byId, id)
  return {
    ticksAfter: async (id, afterSeq, limit) => ticks.after(book(id), afterSeq, limit),
    ticksBetween: async (id, from, to, limit) => ticks.between(book(id), from, to, limit),
    firstTick: async (id, after, until) => ticks.firstTick(book(id), after, until),
    lastTick: async (id, until) => ticks.lastTick(book(id), until),
  }
}

/** A product's gaps. A log this far behind will write one: it is known before it has an end. */
export function gapsOf({ gaps, dueFrom }: Book, watermark: number, isLate: boolean): Gap[] {
  if (!isLate) return [...gaps]
  return [...gaps, { from: Math.max(watermark, dueFrom), to: null }]
}
