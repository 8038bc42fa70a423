import type { LogLeaf } from '../../../contract/tlog/leaf.ts'
import {
  appendToRange,
  rootOf,
  rootOfRange,
  type TreeHash,
  type TreeRange,
} from '../../../contract/tlog/merkle.ts'
import { tileHeight, tileWidth, widthInTree } from '../../../contract/tlog/tiles.ts'
import type { Db } from '../../platform/db/database.ts'
import { hashOfLeaf, readBundle, readSize, readTile, type LogNode } from './logStore.ts'
import { sha256 } from './signer.ts'

/** The end of the log in memory: what is needed to add a leaf. */
export type LogTree = {
  size: number
  /** The newest leaf; null if there is none. */
  last: LogLeaf | null
  /** The hashes of the partial tile of each level. */
  partial: readonly (readonly TreeHash[])[]
  range: TreeRange
}

export const rootOfTree = ({ range }: LogTree): TreeHash => rootOfRange(range, sha256)

/** Reads the end of the log: at most one bundle of leaves, and a tile of each level above. */
export async function readTree(db: Db): Promise<LogTree> {
  const size = await readSize(db)
  if (size === 0) return { size, last: null, partial: [], range: [] }
  const leaves = await readBundle(db, Math.floor((size - 1) / tileWidth))
  const partial: TreeHash[][] = [size % tileWidth === 0 ? [] : leaves.map(hashOfLeaf)]
  for (let level = 1; tileWidth ** level <= size; level++) {
    const tile = Math.floor(size / tileWidth ** (level + 1))
    const width = widthInTree({ level, index: tile }, size)
    const hashes = width === 0 ? [] : await readTile(db, level, tile, width)
    if (hashes.length !== width) throw new Error(`the public log lacks hashes of level ${level}`)
    partial.push(hashes)
  }
  const range = partial
    .flatMap((hashes, level) => [hashes.map((hash) => ({ hash, height: level * tileHeight }))])
    .toReversed()
    .flat()
    .reduce<TreeRange>((before, { hash, height }) => appendToRange(before, hash, height, sha256), [])
  return { size, last: leaves.at(-1) ?? null, partial, range }
}

/** The log with one leaf more, and the roots of the tiles that it completes. */
export function withLeaf(tree: LogTree, leaf: LogLeaf): { tree: LogTree; nodes: LogNode[] } {
  const hash = hashOfLeaf(leaf)
  const partial = [...tree.partial]
  const nodes: LogNode[] = []
  let added = hash
  for (let level = 0; ; level++) {
    const hashes = [...(partial[level] ?? []), added]
    partial[level] = hashes.length < tileWidth ? hashes : []
    if (hashes.length < tileWidth) break
    added = rootOf(hashes, sha256)
    nodes.push({ level: level + 1, ix: (tree.size + 1) / tileWidth ** (level + 1) - 1, hash: added })
  }
  const range = appendToRange(tree.range, hash, 0, sha256)
  return { tree: { size: tree.size + 1, last: leaf, partial, range }, nodes }
}
