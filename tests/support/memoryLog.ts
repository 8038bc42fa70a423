import { inclusionProof, rootAt, rootOf, type TreeHash } from '../../contract/tlog/merkle.ts'
import { createTileReader, tileWidth, type FetchTile } from '../../contract/tlog/tiles.ts'
import { sha256 } from '../../server/market/publicLog/signer.ts'

/** A public log in memory: its tiles, and its root and paths at any size up to that of its leaves. */
export function memoryLog(leaves: readonly TreeHash[]) {
  const levels: (readonly TreeHash[])[] = [leaves]
  for (let level = leaves; level.length >= tileWidth; levels.push(level)) {
    const below = level
    level = Array.from({ length: Math.floor(below.length / tileWidth) }, (_, i) =>
      rootOf(below.slice(i * tileWidth, (i + 1) * tileWidth), sha256),
    )
  }
  const fetchTile: FetchTile = async ({ level, index, width }) => {
    const own = levels[level]?.slice(index * tileWidth, index * tileWidth + width) ?? []
    if (own.length < width) throw new RangeError('the log has no such tile')
    return Uint8Array.from(Buffer.concat(own))
  }
  const nodesOf = (size: number) => createTileReader(size, fetchTile, sha256)
  return {
    size: leaves.length,
    fetchTile,
    root: (size = leaves.length): Promise<TreeHash> => rootAt(size, nodesOf(size), sha256),
    path: (index: number, size = leaves.length): Promise<TreeHash[]> =>
      inclusionProof(index, size, nodesOf(size), sha256),
  }
}
export type MemoryLog = ReturnType<typeof memoryLog>
