import { consistencyProof, isSameHash, rootAt, verifyConsistency } from './merkle.ts'
import type { Tree } from './merkle.ts'
import { createTileReader } from './tiles.ts'
import type { FetchTile } from './tiles.ts'

/**
 * Whether the larger of two trees continues the other, by the log's own tiles. Only tiles that give the larger one's root
 * show it: undefined if they do not, or if one of them cannot be had.
 * @param fetchTile throws a RangeError for a tile that cannot be had
 */
export async function isContinued(a: Tree, b: Tree, fetchTile: FetchTile): Promise<boolean | undefined> {
  const [from, to] = a.size <= b.size ? [a, b] : [b, a]
  if (from.size === to.size) return isSameHash(from.root, to.root)
  const read = createTileReader(to.size, fetchTile)
  try {
    if (!isSameHash(await rootAt(to.size, read), to.root)) return undefined
    return verifyConsistency(from, to, await consistencyProof(from.size, to.size, read))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
