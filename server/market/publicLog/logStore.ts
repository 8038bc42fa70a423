import { and, asc, between, desc, eq, sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import { formatLeaf, type LogLeaf } from '../../../contract/tlog/leaf.ts'
import { leafHash, type TreeHash } from '../../../contract/tlog/merkle.ts'
import { tileWidth } from '../../../contract/tlog/tiles.ts'
import type { Db } from '../../platform/db/database.ts'
import { heldTerm, type Fence } from '../../platform/db/fence.ts'
import { logCheckpoint, logLeaf, logNode, type CheckpointRow } from '../schema.ts'
import { sha256 } from './signer.ts'
import { packLeaf, unpackLeaf } from './packedLeaf.ts'

/** A hash above the leaves. */
export type LogNode = { level: number; ix: number; hash: TreeHash }

/** What one second adds: the leaf, the full tiles that it completes, and the checkpoint of the tree with it. */
export type Addition = {
  ix: number
  leaf: LogLeaf
  /** The leaf before it in its bundle. */
  before: LogLeaf | null
  nodes: readonly LogNode[]
  checkpoint: Omit<CheckpointRow, 'kind'>
}

/** The bytes of a leaf, as the tree has them. */
export const leafBytes = (leaf: LogLeaf): Buffer => Buffer.from(formatLeaf(leaf))
export const hashOfLeaf = (leaf: LogLeaf): TreeHash => leafHash(leafBytes(leaf), sha256)

/** How many leaves the log has. */
export async function readSize(db: Db): Promise<number> {
  const [row] = await db.select({ ix: logLeaf.ix }).from(logLeaf).orderBy(desc(logLeaf.ix)).limit(1)
  return row === undefined ? 0 : row.ix + 1
}

/** The first leaves of a bundle, at most `width` of them. */
export async function readBundle(db: Db, bundle: number, width = tileWidth): Promise<LogLeaf[]> {
  const first = bundle * tileWidth
  const rows = await db
    .select()
    .from(logLeaf)
    .where(between(logLeaf.ix, first, first + width - 1))
    .orderBy(asc(logLeaf.ix))
  const leaves: LogLeaf[] = []
  for (const { at, data } of rows) leaves.push(unpackLeaf(at, data, leaves.at(-1) ?? null))
  return leaves
}

/** The hashes of a tile, fewer than `width` if the log does not have them. */
export async function readTile(db: Db, level: number, tile: number, width: number): Promise<TreeHash[]> {
  if (level === 0) return (await readBundle(db, tile, width)).map(hashOfLeaf)
  const first = tile * tileWidth
  const rows = await db
    .select({ hash: logNode.hash })
    .from(logNode)
    .where(and(eq(logNode.level, level), between(logNode.ix, first, first + width - 1)))
    .orderBy(asc(logNode.ix))
  return rows.map(({ hash }) => hash)
}

/** The numbers of the leaves with from ≤ at ≤ to, ascending. */
export async function findLeaves(db: Db, from: number, to: number): Promise<number[]> {
  const rows = await db
    .select({ ix: logLeaf.ix })
    .from(logLeaf)
    .where(between(logLeaf.at, from, to))
    .orderBy(asc(logLeaf.ix))
  return rows.map(({ ix }) => ix)
}

/** The newest checkpoints: signed by the log, and cosigned by witnesses. */
export async function readCheckpoints(
  db: Db,
): Promise<{ signed: CheckpointRow | null; witnessed: CheckpointRow | null }> {
  const rows = await db.select().from(logCheckpoint)
  const ofKind = (kind: CheckpointRow['kind']) => rows.find((row) => row.kind === kind) ?? null
  return { signed: ofKind('signed'), witnessed: ofKind('witnessed') }
}

const addLeafSql = `
WITH fence AS MATERIALIZED (
  SELECT held_term($1::bigint)
), leaf AS (
  INSERT INTO log_leaf (ix, at, data)
  SELECT $2::bigint, $3::bigint, decode($4, 'hex')
  FROM fence WHERE coalesce((SELECT max(ix) FROM log_leaf), -1) = $2::bigint - 1
  RETURNING ix
), nodes AS (
  INSERT INTO log_node (level, ix, hash)
  SELECT n.level, n.ix, decode(n.hash, 'hex')
  FROM leaf, jsonb_to_recordset($5::jsonb) AS n (level integer, ix bigint, hash text)
)
INSERT INTO log_checkpoint (kind, origin, size, at, note)
SELECT 'signed', $6, $7::bigint, $8::bigint, $9 FROM leaf
ON CONFLICT (kind) DO UPDATE SET
  origin = excluded.origin, size = excluded.size, at = excluded.at, note = excluded.note`

/**
 * Adds a leaf in one statement, with the checkpoint that is only then made public. The statement is prepared: it runs every
 * second, and to plan it takes longer than to run it.
 * @returns false if another process has added a leaf meanwhile; nothing is written then
 */
export async function addLeaf(
  { pool, fence }: { pool: Pool; fence: Fence },
  { ix, leaf, before, nodes, checkpoint }: Addition,
): Promise<boolean> {
  const data = packLeaf(leaf, before).toString('hex')
  const rows = JSON.stringify(
    nodes.map(({ hash, ...node }) => ({ ...node, hash: Buffer.from(hash).toString('hex') })),
  )
  const { origin, size, at, note } = checkpoint
  const { rowCount } = await fence.guard(() =>
    pool.query({
      name: 'add a leaf',
      text: addLeafSql,
      values: [fence.term, ix, leaf.at, data, rows, origin, size, at, note],
    }),
  )
  return (rowCount ?? 0) > 0
}

/** Stores a checkpoint with cosignatures, unless a larger one is stored. */
export async function saveWitnessed(
  { db, fence }: { db: Db; fence: Fence },
  { origin, size, at, note }: Omit<CheckpointRow, 'kind'>,
): Promise<void> {
  await fence.guard(() =>
    db.execute(sql`
      WITH fence AS MATERIALIZED (
        SELECT ${heldTerm(fence.term)}
      )
      INSERT INTO log_checkpoint (kind, origin, size, at, note)
      SELECT 'witnessed', ${origin}, ${size}::bigint, ${at}::bigint, ${note} FROM fence
      ON CONFLICT (kind) DO UPDATE SET
        origin = excluded.origin, size = excluded.size, at = excluded.at, note = excluded.note
      WHERE log_checkpoint.origin <> excluded.origin OR log_checkpoint.size <= excluded.size`),
  )
}
