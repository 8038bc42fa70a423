import type { ProductState } from '../productState.ts'
import type { ChunkSpan, ChunkStore } from './chunkStore.ts'

/**
 * Returns the time ranges before `before` whose ticks a product's orders need for their proofs. The pruner retains
 * every chunk that overlaps one, and its neighbours, for the three ticks before and after.
 */
export type ProofRanges = (
  productId: string,
  before: number,
) => Promise<readonly { from: number; to: number }[]>

/**
 * Deletes chunks older than `retentionMs`, except those that a proof needs, and each product's newest, after which the
 * log continues.
 */
export async function pruneChunks(
  chunks: ChunkStore,
  productStates: readonly ProductState[],
  proofRanges: ProofRanges,
  now: number,
  retentionMs: number,
): Promise<void> {
  const before = now - retentionMs
  const old = await chunks.endedBefore(before)
  for (const { ix, settings } of productStates) {
    const ownChunks = old.filter((chunk) => chunk.ix === ix)
    if (ownChunks.length === 0) continue
    const newest = await chunks.newest(ix)
    const prunable = selectPrunable(ownChunks, await proofRanges(settings.id, before))
    await chunks.prune(
      ix,
      prunable.map((chunk) => chunk.seq0).filter((seq0) => seq0 !== newest?.seq0),
    )
  }
}

/** The chunks that do not overlap a range and are not next to one that does. */
function selectPrunable(
  old: readonly ChunkSpan[],
  ranges: readonly { from: number; to: number }[],
): ChunkSpan[] {
  const needed = old.map((chunk, i) => {
    // A range may fall between two chunks: the ticks around it are in both.
    const nextAt = old[i + 1]?.at0 ?? Number.POSITIVE_INFINITY
    return ranges.some((range) => chunk.at0 <= range.to && nextAt > range.from)
  })
  return old.filter((_, i) => !needed[i - 1] && !needed[i] && !needed[i + 1])
}
