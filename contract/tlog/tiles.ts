import { hashBytes, rootOf, type NodeId, type ReadNode, type Sha256, type TreeHash } from './merkle.ts'

/** A full tile has this many hashes, a full bundle this many entries. */
export const tileWidth = 256
/** A full tile is a perfect subtree of this height. */
export const tileHeight = 8

/** A part of the log as C2SP tlog-tiles serves it: hashes of one level, or the entries themselves. */
export type Tile = {
  /** 0 for the hashes of leaves; each hash of level L + 1 is the root of a full tile of level L. */
  level: number | 'entries'
  index: number
  /** Fewer than {@link tileWidth}: a partial tile. */
  width: number
}

/** The path of a tile below the log's address, such as `tile/0/x001/234` or `tile/entries/000.p/17`. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index)
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? []
  const name = groups.map((group, i) => (i < groups.length - 1 ? `x${group}` : group)).join('/')
  return `tile/${level}/${name}${width === tileWidth ? '' : `.p/${width}`}`
}

const pathPattern = /^tile\/(entries|[1-5]?\d|6[0-3])\/((?:x\d{3}\/)*)(\d{3})(?:\.p\/([1-9]\d{0,2}))?$/

/** The tile that a path names; null if it is no such path in its one spelling. */
export function parseTilePath(path: string): Tile | null {
  const [, level, groups = '', last, partial] = pathPattern.exec(path) ?? []
  if (level === undefined || last === undefined) return null
  const index = Number(groups.replaceAll(/[x/]/g, '') + last)
  const width = partial === undefined ? tileWidth : Number(partial)
  const tile = { level: level === 'entries' ? level : Number(level), index, width } as const
  return Number.isSafeInteger(index) && tilePath(tile) === path ? tile : null
}

/** How many hashes the tile has in a tree of some size; 0 if it is not in that tree. */
export function widthInTree({ level, index }: Pick<Tile, 'level' | 'index'>, size: number): number {
  const perHash = level === 'entries' ? 1 : tileWidth ** level
  return Math.max(0, Math.min(tileWidth, Math.floor(size / perHash) - index * tileWidth))
}

/** Fetches a tile of hashes. */
export type FetchTile = (tile: Tile & { level: number }) => Promise<Uint8Array>

/**
 * Reads nodes of a tree of `size` leaves from its tiles; each tile is fetched once.
 * @throws RangeError if a tile does not have its length, or a node is not in the tree
 */
export function createTileReader(size: number, fetchTile: FetchTile, sha?: Sha256): ReadNode {
  const tiles = new Map<string, Promise<TreeHash[]>>()
  const read = (level: number, index: number): Promise<TreeHash[]> => {
    const tile = { level, index, width: widthInTree({ level, index }, size) }
    if (tile.width === 0) return Promise.reject(new RangeError('the node is not in the tree'))
    const path = tilePath(tile)
    const known = tiles.get(path) ?? fetchTile(tile).then((bytes) => hashesOfTile(bytes, tile.width))
    tiles.set(path, known)
    return known
  }
  return async ({ height, index }: NodeId) => {
    const level = Math.floor(height / tileHeight)
    const count = 2 ** (height % tileHeight)
    const first = index * count
    const hashes = await read(level, Math.floor(first / tileWidth))
    const own = hashes.slice(first % tileWidth, (first % tileWidth) + count)
    if (own.length !== count) throw new RangeError('the node is not in the tree')
    return rootOf(own, sha)
  }
}

/** @throws RangeError if the tile does not have this many hashes */
export function hashesOfTile(bytes: Uint8Array, width: number): TreeHash[] {
  if (bytes.length !== width * hashBytes)
    throw new RangeError('the tile does not have the length of its width')
  return Array.from({ length: width }, (_, i) => bytes.subarray(i * hashBytes, (i + 1) * hashBytes))
}

const lengthBytes = 2

/** Entries as a bundle of tlog-tiles has them: each after its length in two bytes, the higher one first. */
export function packEntries(entries: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(entries.reduce((sum, entry) => sum + lengthBytes + entry.length, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const entry of entries) {
    if (entry.length > 0xff_ff) throw new RangeError('an entry of the log is longer than 65,535 bytes')
    view.setUint16(at, entry.length)
    bytes.set(entry, at + lengthBytes)
    at += lengthBytes + entry.length
  }
  return bytes
}

/** Reads the bytes of {@link packEntries}. @throws RangeError if they end within an entry */
export function unpackEntries(bytes: Uint8Array): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const entries: Uint8Array[] = []
  for (let at = 0; at < bytes.length;) {
    if (at + lengthBytes > bytes.length) throw new RangeError('the bundle ends within an entry')
    const end = at + lengthBytes + view.getUint16(at)
    if (end > bytes.length) throw new RangeError('the bundle ends within an entry')
    entries.push(bytes.subarray(at + lengthBytes, end))
    at = end
  }
  return entries
}
