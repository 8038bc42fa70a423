import { expect, it } from 'vitest'
import type { Chunk, ChunkReads } from '../../../../server/market/log/chunkStore.ts'
import { keepChunks } from '../../../../server/market/log/keptChunks.ts'
import { seededRandom } from '../../../support/random.ts'

const chunkOf = (ix: number, seq0: number, seq1: number, at0: number, at1: number): Chunk => ({
  ix,
  seq0,
  seq1,
  at0,
  at1,
  hashBefore: Buffer.alloc(32),
  hashAfter: Buffer.alloc(32),
  data: Buffer.alloc(0),
})

/** Chunks whose neighbours share an instant, of one tick, of one instant, and with holes between them. */
const chunks = [
  chunkOf(1, 1, 10, 100, 200),
  chunkOf(1, 11, 20, 200, 200),
  chunkOf(1, 21, 30, 200, 300),
  chunkOf(1, 31, 31, 301, 301),
  chunkOf(1, 50, 60, 400, 500),
  chunkOf(2, 1, 40, 150, 450),
]

/** The reads of the database, in memory; counted. */
function countedReads(): { reads: ChunkReads; count: () => number } {
  let count = 0
  const find = async (found: Chunk | undefined): Promise<Chunk | null> => {
    count += 1
    return found ?? null
  }
  const unused = (): never => {
    throw new Error('no read for results')
  }
  const of = (ix: number): Chunk[] => chunks.filter((chunk) => chunk.ix === ix)
  const reads: ChunkReads = {
    fromSeq: (ix, seq) => find(of(ix).find(({ seq1 }) => seq1 >= seq)),
    fromAt: (ix, t) => find(of(ix).find(({ at1 }) => at1 >= t)),
    lastAt: (ix, t) => find(of(ix).findLast(({ at0 }) => at0 <= t)),
    upTo: unused,
    newest: unused,
    since: unused,
    endedBefore: unused,
  }
  return { reads, count: () => count }
}

it('gives the chunks that the database gives, whatever was read before', async () => {
  const { reads: database, count: direct } = countedReads()
  const { reads, count } = countedReads()
  const kept = keepChunks(reads)
  const random = seededRandom(7)
  for (let i = 0; i < 5000; i++) {
    const ix = 1 + Math.floor(random.next() * 2)
    const seq = Math.floor(random.next() * 65)
    const t = 90 + Math.floor(random.next() * 420)
    const name = (['fromSeq', 'fromAt', 'lastAt'] as const)[i % 3] ?? 'fromSeq'
    const value = name === 'fromSeq' ? seq : t
    expect(await kept[name](ix, value), `${name} ${ix} ${value}`).toBe(await database[name](ix, value))
  }
  expect(count()).toBeLessThan(direct() / 2)
})

it('reads a chunk once for the times inside it', async () => {
  const { reads, count } = countedReads()
  const kept = keepChunks(reads)
  for (let t = 151; t < 450; t++) await kept.fromAt(2, t)
  for (let t = 150; t < 450; t++) await kept.lastAt(2, t)
  expect(count()).toBe(1)
})
