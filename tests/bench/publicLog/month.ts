import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { toBase64 } from '../../../contract/tlog/base64.ts'
import { formatLeaf } from '../../../contract/tlog/leaf.ts'
import { inclusionProof, rootAt } from '../../../contract/tlog/merkle.ts'
import { createTileReader, tilePath } from '../../../contract/tlog/tiles.ts'
import { sha256 } from '../../../server/market/publicLog/signer.ts'
import { compareLog } from '../../../src/proof/logWatch.ts'
import { cosigned, logKeys, origin, signer } from '../../support/sampleLog.ts'
import { sampleLeaf, writeLog } from '../../support/wholeLog.ts'
import type { BrowserCase } from './page.ts'

/** As many as the table of products has. */
export const productIds = ['BTCUSDT', 'ETHUSD', 'EURUSD', 'GC', 'IF', 'LTCUSDT', 'NZDUSD', 'XAUUSD']
const daySeconds = 86_400

const leafAt = (i: number): string => formatLeaf(sampleLeaf(i, productIds))

/** Writes a log of `size` leaves into a folder, each file under its path. Returns how many files there are. */
export function writeMonth(folder: string, size: number): number {
  const folders = new Set<string>()
  let files = 0
  writeLog(size, leafAt, (path, bytes) => {
    const file = join(folder, path)
    const parent = dirname(file)
    if (!folders.has(parent)) mkdirSync(parent, { recursive: true })
    folders.add(parent)
    writeFileSync(file, bytes)
    files += 1
  })
  return files
}

/** What a device checks that last saw this log a day ago, and has an order of half a day ago. */
export async function browserCase(folder: string, size: number): Promise<BrowserCase> {
  const read = (path: string): Uint8Array => Uint8Array.from(readFileSync(join(folder, path)))
  const nodes = createTileReader(size, async (tile) => read(tilePath(tile)), sha256)
  const index = size - Math.min(size, Math.round(daySeconds / 2))
  const path = (await inclusionProof(index, size, nodes, sha256)).map(toBase64)
  const checkpoint = Buffer.from(read('checkpoint')).toString()
  const proof = cosigned({ leaf: leafAt(index), index, path, checkpoint })
  const seenSize = Math.max(1, size - daySeconds)
  const root = await rootAt(seenSize, nodes, sha256)
  const seen = signer.sign({ origin, size: seenSize, root })
  // The same comparison as in the browser says which files it needs.
  const files: Record<string, string> = {}
  await compareLog({
    fetchLog: async (file) => {
      files[file] = toBase64(read(file))
      return read(file)
    },
    logKey: logKeys.logKey,
    read: () => ({ newest: { note: seen, logKey: logKeys.logKey }, alarm: null }),
    write: () => undefined,
    now: Date.now,
  })
  return { ...logKeys, proof, seen, files }
}
