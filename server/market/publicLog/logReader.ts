import { LRUCache } from 'lru-cache'
import type { Head } from '../../../contract/chain.ts'
import { leafMaxDelayMs } from '../../../contract/constants.ts'
import type { LogProof } from '../../../contract/orders.ts'
import { toBase64 } from '../../../contract/tlog/base64.ts'
import { formatLeaf, type LogLeaf } from '../../../contract/tlog/leaf.ts'
import {
  consistencyProof,
  inclusionProof,
  leafHash,
  type ReadNode,
  type TreeHash,
} from '../../../contract/tlog/merkle.ts'
import { parseNote } from '../../../contract/tlog/note.ts'
import { createTileReader, packEntries, tileWidth, type Tile } from '../../../contract/tlog/tiles.ts'
import type { Db } from '../../platform/db/database.ts'
import type { CheckpointRow } from '../schema.ts'
import { createFreshValue } from '../../platform/freshValue.ts'
import type { Clock } from '../../platform/ports.ts'
import { findLeaves, leafBytes, readBundle, readCheckpoints, readTile } from './logStore.ts'
import { sha256 } from './signer.ts'

/** What of an order its part of the log proves: every tick up to its close, the last of which has the number `seq`. */
export type ProvedOrder = { productId: string; closeAt: number; seq: number }

/** The log as anyone may read it, at every node. */
export type LogReader = {
  /** The newest checkpoint as a signed note: with cosignatures, unless these are too old. Null while there is none. */
  checkpoint(): Promise<string | null>
  /** The bytes of a tile or bundle; null if the log does not have all of it. */
  tile(tile: Tile): Promise<Uint8Array | null>
  /** The proof that the log has the head that an order's ticks lead to, and that head; null if it has none yet. */
  prove(order: ProvedOrder): Promise<{ log: LogProof; head: Head } | null>
  /** The proof that a tree continues an earlier one. */
  consistency(from: number, size: number): Promise<TreeHash[]>
  /** Null while the log has no leaf. */
  figures(): Promise<LogFigures | null>
}

/** What the log has now; instants in epoch ms. */
export type LogFigures = {
  /** How many leaves. */
  size: number
  /** The instant of the newest leaf. */
  leafAt: number
  /** The instant of the last leaf in the checkpoint that is served. */
  checkpointAt: number
  /** How many witnesses have cosigned that one. */
  cosignatures: number
}

/** Checkpoints are read again once they are this old; a leaf is added every second. */
const freshMs = 500
/** How many full bundles stay in memory after being read, and for how long. */
const recentMax = 3
const recentMs = 1000
/** A cosigned checkpoint is preferred to a newer one without cosignatures if it is at most this much older. */
const witnessedMaxAgeMs = 15_000

export function createLogReader({ db, clock }: { db: Db; clock: Pick<Clock, 'now'> }): LogReader {
  const checkpoints = createFreshValue(clock, freshMs, () => readCheckpoints(db))
  const nodesOf = (size: number): ReadNode =>
    createTileReader(
      size,
      async ({ level, index, width }) => Buffer.concat(await readTile(db, level, index, width)),
      sha256,
    )
  /** The checkpoint to show of those that have a leaf. */
  const newestWith = async (ix: number): Promise<CheckpointRow | null> => {
    const { signed, witnessed } = await checkpoints()
    if (signed === null || signed.size <= ix) return null
    const isUsable =
      witnessed?.origin === signed.origin &&
      witnessed.size > ix &&
      signed.at - witnessed.at <= witnessedMaxAgeMs
    return isUsable ? witnessed : signed
  }
  // A verifier asks for the entries of a bundle and for their hashes.
  const recent = new LRUCache<number, Promise<Buffer[]>>({ max: recentMax, ttl: recentMs })
  const leavesOf = (bundle: number, width: number): Promise<Buffer[]> => {
    const known = width === tileWidth ? recent.get(bundle) : undefined
    const leaves = known ?? readBundle(db, bundle, width).then((read) => read.map(leafBytes))
    if (width === tileWidth && known === undefined) {
      recent.set(bundle, leaves)
      leaves.catch(() => recent.delete(bundle))
    }
    return leaves
  }
  return {
    checkpoint: async () => (await newestWith(0))?.note ?? null,
    tile: async ({ level, index, width }) => {
      if (level === 'entries' || level === 0) {
        const leaves = await leavesOf(index, width)
        if (leaves.length < width) return null
        return level === 0 ? Buffer.concat(leaves.map((leaf) => leafHash(leaf, sha256))) : packEntries(leaves)
      }
      const hashes = await readTile(db, level, index, width)
      return hashes.length === width ? Buffer.concat(hashes) : null
    },
    prove: async (order) => {
      const found = await findLeafOf(db, order)
      const checkpoint = found && (await newestWith(found.ix))
      if (!found || !checkpoint) return null
      const path = await inclusionProof(found.ix, checkpoint.size, nodesOf(checkpoint.size), sha256)
      const { leaf, head, ix } = found
      const log = { leaf: formatLeaf(leaf), index: ix, path: path.map(toBase64), checkpoint: checkpoint.note }
      return { log, head }
    },
    consistency: (from, size) => consistencyProof(from, size, nodesOf(size), sha256),
    figures: async () => {
      const { signed } = await checkpoints()
      const served = await newestWith(0)
      if (signed === null || served === null) return null
      // The first signature is the log's own.
      const cosignatures = (parseNote(served.note)?.signatures.length ?? 1) - 1
      return { size: signed.size, leafAt: signed.at, checkpointAt: served.at, cosignatures }
    },
  }
}

/** The first leaf at or after an order's close whose head of the product covers the last tick up to the close. */
async function findLeafOf(db: Db, { productId, closeAt, seq }: ProvedOrder) {
  let read: { bundle: number; leaves: LogLeaf[] } = { bundle: -1, leaves: [] }
  for (const ix of await findLeaves(db, closeAt, closeAt + leafMaxDelayMs)) {
    const bundle = Math.floor(ix / tileWidth)
    if (read.bundle !== bundle) read = { bundle, leaves: await readBundle(db, bundle) }
    const leaf = read.leaves[ix % tileWidth]
    const head = leaf?.heads.find((each) => each.productId === productId)
    if (leaf && head && head.seq >= seq) return { ix, leaf, head: { seq: head.seq, hash: head.hash } }
  }
  return null
}
