import { extendRange, isSameHash, rootOfRange, type Tree } from './merkle.ts'
import { createTileReader, type FetchTile } from './tiles.ts'

/**
 * Whether the larger of two trees continues the other, by the log's own tiles. Undefined if these do not show it: one of
 * them cannot be had, or they do not give the larger tree's root. Each hash that the earlier root is computed from is also
 * part of the later one, so a damaged tile is never taken for another past.
 * @param fetchTile throws a RangeError for a tile that cannot be had
 */
export async function isContinued(a: Tree, b: Tree, fetchTile: FetchTile): Promise<boolean | undefined> {
  const [from, to] = a.size <= b.size ? [a, b] : [b, a]
  if (from.size === to.size) return isSameHash(from.root, to.root)
  const read = createTileReader(to.size, fetchTile)
  try {
    const earlier = await extendRange([], 0, from.size, read)
    const later = await extendRange(earlier, from.size, to.size, read)
    if (!isSameHash(rootOfRange(later), to.root)) return undefined
    return isSameHash(rootOfRange(earlier), from.root)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
