import type { ProductState } from './productState.ts'
import type { ChunkSpan, ChunkStore } from './chunkStore.ts'

/**
 * The times whose ticks a product's orders need for their proofs, asked for chunks that ended before `before`. The
 * pruner keeps every chunk that touches one, and its neighbours, for the three ticks before and after.
 */
export type ProofRanges = (
  productId: string,
  before: number,
) => Promise<readonly { from: number; to: number }[]>

/** Drops chunks older than `keepMs`, but those that a proof needs and each product's newest: the log goes on from it. */
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

/** The chunks that neither touch a range nor stand beside one that does. */
function selectPrunable(
  old: readonly ChunkSpan[],
  ranges: readonly { from: number; to: number }[],
): ChunkSpan[] {
  const needed = old.map((chunk, i) => {
    // A range may lie between two chunks: the ticks around it are in both.
    const nextAt = old[i + 1]?.at0 ?? Number.POSITIVE_INFINITY
    return ranges.some((range) => chunk.at0 <= range.to && nextAt > range.from)
  })
  return old.filter((_, i) => !needed[i - 1] && !needed[i] && !needed[i + 1])
}
