import { bytesToHex } from '@noble/hashes/utils.js'
import {
  appendToRange,
  isSameHash,
  leafHash,
  rootOf,
  rootOfRange,
  type Tree,
  type TreeHash,
  type TreeRange,
} from '../../../../contract/tlog/merkle.ts'
import {
  hashesOfTile,
  tileHeight,
  tilePath,
  tileWidth,
  unpackEntries,
  type Tile,
} from '../../../../contract/tlog/tiles.ts'
import { sha256 } from '../../../../server/market/package.ts'
import { eachInOrder } from './eachInOrder.ts'
import type { LogFiles } from './logFiles.ts'
import { LogFaultError } from './logFault.ts'

/** A bundle of entries that are those of the signed tree. `first` is the number of its first leaf. */
export type Bundle = { tile: string; first: number; entries: Uint8Array[] }

/** The bundles, of which each is two files, that are fetched ahead: as many at once as a venue allows an address. */
const ahead = 4

/**
 * Reads every tile of a tree, and yields its entries. Each tile is compared with the hash above it before it is used, from the
 * signed root down, so a fault is in the tile that is named and not in another one.
 * @throws LogFaultError for the first tile that is missing or damaged, or has other hashes
 */
export async function* readTree(files: LogFiles, tree: Tree): AsyncGenerator<Bundle> {
  const counts = countsOf(tree.size)
  const ends = await readEnds(files, counts)
  if (!isSameHash(rootOfEnds(ends), tree.root)) throw await endFault(files, tree, ends)
  let above: TreeHash[] = ends.at(-1) ?? []
  for (let level = counts.length - 2; level >= 1; level--) {
    const hashes: TreeHash[] = []
    for await (const tile of eachInOrder(above.length, ahead, (i) => readTile(files, level, i))) {
      const index = hashes.length / tileWidth
      if (!isSameHash(rootOf(tile, sha256), above[index] ?? new Uint8Array()))
        throw new LogFaultError(otherHash({ level, index, width: tileWidth }))
      hashes.push(...tile)
    }
    above = [...hashes, ...(ends[level] ?? [])]
  }
  const bundles = Math.ceil(tree.size / tileWidth)
  const full = counts.length > 1 ? above : []
  yield* eachInOrder(bundles, ahead, (i) => readBundle(files, i, { root: full[i], end: ends[0] ?? [] }))
}

/** How many hashes each level has, from the leaves' up. */
function countsOf(size: number): number[] {
  const counts: number[] = []
  for (let count = size; count > 0; count = Math.floor(count / tileWidth)) counts.push(count)
  return counts
}

const endTile = (counts: readonly number[], level: number): Tile & { level: number } => {
  const count = counts[level] ?? 0
  return { level, index: Math.floor(count / tileWidth), width: count % tileWidth }
}

/** The hashes of the partial tile at the end of each level, from the leaves' up: together they give the root. */
const readEnds = (files: LogFiles, counts: readonly number[]): Promise<TreeHash[][]> =>
  Promise.all(
    counts.map(async (_, level) => {
      const { index, width } = endTile(counts, level)
      return width === 0 ? [] : readTile(files, level, index, width)
    }),
  )

function rootOfEnds(ends: readonly (readonly TreeHash[])[]): TreeHash {
  const range = ends
    .map((hashes, level) => hashes.map((hash) => ({ hash, height: level * tileHeight })))
    .toReversed()
    .flat()
    .reduce<TreeRange>((before, { hash, height }) => appendToRange(before, hash, height, sha256), [])
  return rootOfRange(range, sha256)
}

async function readTile(
  files: LogFiles,
  level: number,
  index: number,
  width = tileWidth,
): Promise<TreeHash[]> {
  const tile = tilePath({ level, index, width })
  const bytes = await files(tile)
  if (bytes === undefined) throw new LogFaultError({ tile, why: 'the tile is missing' })
  try {
    return hashesOfTile(bytes, width)
  } catch {
    const why = `the tile has ${bytes.length} bytes, and not ${width} hashes`
    throw new LogFaultError({ tile, why })
  }
}

const otherHash = (tile: Tile) => ({
  tile: tilePath(tile),
  why: 'its hashes do not give the one that the tile above has of it',
})

/** @param root what the tile above has of this bundle; undefined for the partial one, whose hashes are `end` */
async function readBundle(
  files: LogFiles,
  index: number,
  { root, end }: { root: TreeHash | undefined; end: TreeHash[] },
): Promise<Bundle> {
  const width = root === undefined ? end.length : tileWidth
  const tile = tilePath({ level: 'entries', index, width })
  const [hashes, entries] = await Promise.all([
    root === undefined ? end : readTile(files, 0, index),
    readEntries(files, tile, width),
  ])
  const first = index * tileWidth
  const other = entries.findIndex((entry, i) => !isHashOf(entry, hashes[i]))
  if (root !== undefined && !isSameHash(rootOf(hashes, sha256), root))
    throw new LogFaultError({
      ...otherHash({ level: 0, index, width }),
      // Of this leaf, unless the entries are changed in the same way.
      ...(other >= 0 && { leaf: first + other }),
    })
  if (other < 0) return { tile, first, entries }
  throw new LogFaultError({
    tile,
    leaf: first + other,
    why: 'the entry is not the one whose hash is in the tree',
    signed: bytesToHex(hashes[other] ?? new Uint8Array()),
    found: bytesToHex(leafHash(entries[other] ?? new Uint8Array(), sha256)),
  })
}

/** A zero, and room for the longest entry: a month has millions, and a buffer for each takes a tenth of the time. */
const zeroAndEntry = new Uint8Array(1 + 0xff_ff)

/** Whether this is the hash of a leaf with this entry, as {@link leafHash} gives it. */
function isHashOf(entry: Uint8Array, hash: TreeHash | undefined): boolean {
  zeroAndEntry.set(entry, 1)
  const own = sha256(zeroAndEntry.subarray(0, 1 + entry.length))
  return hash !== undefined && Buffer.compare(own, hash) === 0
}

async function readEntries(files: LogFiles, tile: string, width: number): Promise<Uint8Array[]> {
  const bytes = await files(tile)
  if (bytes === undefined) throw new LogFaultError({ tile, why: 'the bundle of entries is missing' })
  try {
    const entries = unpackEntries(bytes)
    if (entries.length === width) return entries
    throw new LogFaultError({ tile, why: `it has ${entries.length} entries, and not ${width}` })
  } catch (error) {
    if (error instanceof RangeError) throw new LogFaultError({ tile, why: error.message })
    throw error
  }
}

/** Why the ends do not give the signed root: the one that does with what is below it is the one that was changed. */
async function endFault(files: LogFiles, tree: Tree, ends: readonly TreeHash[][]): Promise<LogFaultError> {
  const counts = countsOf(tree.size)
  for (const [level, end] of ends.entries()) {
    const { index, width } = endTile(counts, level)
    if (width === 0) continue
    const below =
      level === 0 ? await leavesBelow(files, index, width) : await tilesBelow(files, level, index, width)
    if (!isSameHash(rootOfEnds(ends.with(level, below)), tree.root)) continue
    const other = end.findIndex((hash, i) => !isSameHash(hash, below[i] ?? new Uint8Array()))
    return new LogFaultError({
      tile: tilePath({ level, index, width }),
      ...(level === 0 && { leaf: index * tileWidth + other }),
      why: `hash ${other} is not that of what is below it`,
      found: bytesToHex(end[other] ?? new Uint8Array()),
      signed: bytesToHex(below[other] ?? new Uint8Array()),
    })
  }
  return new LogFaultError({
    why: 'the tiles do not give the signed root',
    found: bytesToHex(rootOfEnds(ends)),
    signed: bytesToHex(tree.root),
  })
}

async function leavesBelow(files: LogFiles, index: number, width: number): Promise<TreeHash[]> {
  const entries = await readEntries(files, tilePath({ level: 'entries', index, width }), width)
  return entries.map((entry) => leafHash(entry, sha256))
}

async function tilesBelow(files: LogFiles, level: number, index: number, width: number): Promise<TreeHash[]> {
  const below: TreeHash[] = []
  const load = (i: number) => readTile(files, level - 1, index * tileWidth + i)
  for await (const tile of eachInOrder(width, ahead, load)) below.push(rootOf(tile, sha256))
  return below
}
