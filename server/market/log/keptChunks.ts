import type { Chunk, ChunkReads } from './chunkStore.ts'

/** Orders that overlap in time need the same chunks: some 200 kB each once decoded. */
const keptMax = 32

/** The same reads for many orders of a product, in the order of their time: the chunks that were read last stay in memory. */
export function keepChunks(reads: ChunkReads): ChunkReads {
  const kept: Chunk[] = []
  const keep = async (reading: Promise<Chunk | null>): Promise<Chunk | null> => {
    const chunk = await reading
    if (chunk) kept.unshift(chunk)
    kept.length = Math.min(kept.length, keptMax)
    return chunk
  }
  // Only inside a chunk is it certain that no other one answers: several may have ticks of the same instant.
  const find = (ix: number, isInside: (chunk: Chunk) => boolean): Chunk | undefined =>
    kept.find((chunk) => chunk.ix === ix && isInside(chunk))
  return {
    ...reads,
    fromSeq: async (ix, seq) =>
      find(ix, ({ seq0, seq1 }) => seq0 <= seq && seq <= seq1) ?? keep(reads.fromSeq(ix, seq)),
    fromAt: async (ix, t) => find(ix, ({ at0, at1 }) => at0 < t && t <= at1) ?? keep(reads.fromAt(ix, t)),
    lastAt: async (ix, t) => find(ix, ({ at0, at1 }) => at0 <= t && t < at1) ?? keep(reads.lastAt(ix, t)),
  }
}
