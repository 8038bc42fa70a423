import { sql } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import { parseCheckpoint, type Checkpoint } from '../../../../contract/tlog/checkpoint.ts'
import { isContinued } from '../../../../contract/tlog/continuation.ts'
import { parseLeaf } from '../../../../contract/tlog/leaf.ts'
import { parseNote, parseVerifierKey, verifyNote } from '../../../../contract/tlog/note.ts'
import { tilePath, unpackEntries } from '../../../../contract/tlog/tiles.ts'
import type { VenueConfig } from '../../../../contract/venueConfig.ts'
import { createNodeFence } from '../../../../server/platform/cluster/nodeFence.ts'
import { createFence } from '../../../../server/platform/db/fence.ts'
import type { Database } from '../../../../server/platform/db/open.ts'
import { followerOf } from '../../../support/testCluster.ts'
import { runMarket, tickOnce } from '../../../support/orders.ts'
import type { TestVenue } from '../../../support/testVenue.ts'
import { withVenue } from '../../../support/withVenue.ts'

let database: Database
let leader: TestVenue
let standby: TestVenue
let standbyFence = createNodeFence()
let lost: string[] = []
beforeEach(async () => {
  standbyFence = createNodeFence()
  lost = []
  leader = await withVenue({ fence: createFence(0, ({ message }) => void lost.push(message)) })
  const { clock, market, secrets } = leader
  database = leader.database
  standby = await withVenue({
    database,
    clock,
    market,
    secrets,
    fence: standbyFence,
    cluster: followerOf,
  })
  await clock.advance(1)
  tickOnce(leader)
})

/** The checkpoint that a node serves, signed by the key that it states. */
async function checkpointAt(node: TestVenue): Promise<Checkpoint> {
  await node.clock.advance(1000)
  const { logKey } = (await node.app.inject('/api/config')).json<VenueConfig>()
  const note = parseNote((await node.app.inject('/log/checkpoint')).payload)!
  const key = parseVerifierKey(logKey!)!
  expect(await verifyNote(note, key)).toBe(true)
  const checkpoint = parseCheckpoint(note.text)!
  expect(checkpoint.origin).toBe(key.name)
  return checkpoint
}

async function takeOver(): Promise<void> {
  await database.db.execute(sql`UPDATE lease SET term = term + 1`)
  standbyFence.lead(
    createFence(1, (error) => {
      throw error
    }),
  )
  await standby.lead()
}

it('a standby that takes over continues the log: same tree, same name, no second leaf for a second', async () => {
  await runMarket(leader, 20_000)
  const before = await checkpointAt(leader)
  expect(before.size).toBeGreaterThan(18)
  expect(await checkpointAt(standby)).toEqual(before)

  await takeOver()
  // The leader before does not know yet: both try to add a leaf for the same seconds.
  await runMarket(leader, 20_000)
  expect(lost).toEqual(['term 0 is over: another process leads this database'])
  expect(standby.reportedErrors).toEqual([])

  const after = await checkpointAt(standby)
  expect([after.origin, after.size]).toEqual([before.origin, before.size + 20])
  const readTile = async (path: string) =>
    Uint8Array.from((await standby.app.inject(`/log/${path}`)).rawPayload)
  expect(await isContinued(before, after, async (tile) => readTile(tilePath(tile)))).toBe(true)
  const entries = unpackEntries(await readTile(`tile/entries/000.p/${after.size}`))
  const seconds = entries.map((entry) => Math.floor(parseLeaf(Buffer.from(entry).toString())!.at / 1000))
  expect(new Set(seconds).size).toBe(after.size)
  expect(seconds).toEqual(seconds.toSorted((a, b) => a - b))
})

it('has its name and its key from one transaction, so that no node knows one without the other', async () => {
  const { rows } = await database.pool.query<{ keys: string; writers: number }>(
    `SELECT string_agg(key, ' ' ORDER BY key) AS keys, count(DISTINCT xmin::text)::int AS writers
     FROM setting WHERE key IN ('log_keys', 'log_origin')`,
  )
  expect(rows).toEqual([{ keys: 'log_keys log_origin', writers: 1 }])
})

it('takes another name if the database has lost what the standby saw signed', async () => {
  await runMarket(leader, 10_000)
  const before = await checkpointAt(leader)
  await database.db.execute(sql`SET session_replication_role = replica`)
  await database.db.execute(sql`DELETE FROM log_leaf WHERE ix >= ${before.size - 2}::bigint`)
  await database.db.execute(sql`SET session_replication_role = DEFAULT`)
  await takeOver()
  expect(JSON.stringify(standby.reportedErrors.splice(0))).toContain('older than what was signed')
  await runMarket(standby, 3000)
  expect((await checkpointAt(standby)).origin).not.toBe(before.origin)
})
