import type { RequestListener } from 'node:http'
import { hash } from 'node:crypto'
import { formatLeaf, type LogLeaf } from '../../contract/tlog/leaf.ts'
import {
  appendToRange,
  leafHash,
  rootOf,
  rootOfRange,
  type TreeHash,
  type TreeRange,
} from '../../contract/tlog/merkle.ts'
import { packEntries, tileHeight, tilePath, tileWidth } from '../../contract/tlog/tiles.ts'
import { sha256 } from '../../server/market/publicLog/signer.ts'
import { cosigned, origin, signer } from './sampleLog.ts'

const firstAt = 1_700_000_000_000

/** The leaf of a log with number `i`: a second each, and `ticks` new ones of each product. */
export const sampleLeaf = (i: number, productIds: readonly string[] = ['A', 'B'], ticks = 3): LogLeaf => ({
  origin,
  at: firstAt + i * 1000,
  heads: productIds.map((productId) => {
    const seq = (i + 1) * ticks
    return { productId, seq, hash: hash('sha256', `${productId} ${seq}`) }
  }),
  gaps: [],
})

/**
 * Writes a public log file by file, each under its path, signed with the key of the sample log.
 * @param leafAt the text of the leaf with a number
 */
export function writeLog(
  size: number,
  leafAt: (i: number) => string,
  put: (path: string, bytes: Uint8Array) => void,
): void {
  const levels: TreeHash[][] = []
  const add = (level: number, added: TreeHash): void => {
    const hashes = (levels[level] ??= [])
    hashes.push(added)
    if (hashes.length < tileWidth) return
    putTile(level, hashes)
    levels[level] = []
    add(level + 1, rootOf(hashes, sha256))
  }
  const written: number[] = []
  const putTile = (level: number, hashes: readonly TreeHash[]): void => {
    const index = (written[level] ??= 0)
    written[level] = index + 1
    put(tilePath({ level, index, width: hashes.length }), Buffer.concat(hashes))
  }
  for (let first = 0; first < size; first += tileWidth) {
    const width = Math.min(tileWidth, size - first)
    const entries = Array.from({ length: width }, (_, i) => Buffer.from(leafAt(first + i)))
    put(tilePath({ level: 'entries', index: first / tileWidth, width }), packEntries(entries))
    for (const entry of entries) add(0, leafHash(entry, sha256))
  }
  for (const [level, hashes] of levels.entries()) if (hashes.length > 0) putTile(level, hashes)
  const range = levels
    .flatMap((hashes, level) => [hashes.map((each) => ({ hash: each, height: level * tileHeight }))])
    .toReversed()
    .flat()
    .reduce<TreeRange>((before, { hash: each, height }) => appendToRange(before, each, height, sha256), [])
  put('checkpoint', Buffer.from(signer.sign({ origin, size, root: rootOfRange(range, sha256) })))
}

/** The files of a small log, by path. */
export function logFiles(size: number, leafAt = (i: number): string => formatLeaf(sampleLeaf(i))) {
  const files = new Map<string, Uint8Array>()
  writeLog(size, leafAt, (path, bytes) => files.set(path, bytes))
  return files
}

/** The files of a log whose checkpoint the witness of the sample log has cosigned. */
export function cosignedFiles(files: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> {
  const checkpoint = Buffer.from(files.get('checkpoint') ?? []).toString()
  const note = cosigned({ leaf: '', index: 0, path: [], checkpoint }).checkpoint
  return new Map([...files, ['checkpoint', Buffer.from(note)]])
}

/** Answers with the files of a log, as a venue does. */
export const answerLog =
  (files: ReadonlyMap<string, Uint8Array>): RequestListener =>
  ({ url = '' }, response) => {
    const bytes = files.get(url.replace(/^\/log\//, ''))
    response.writeHead(bytes ? 200 : 404).end(bytes)
  }
