import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Order } from '../../../../contract/orders.ts'
import { openDatabase, type Database } from '../../../../server/platform/db/open.ts'
import { withDatabase } from '../../../support/withVenue.ts'
import { readSettings } from '../../../../server/start/config.ts'
import { runLogCommand } from '../../../../server/office/cli/log.ts'
import { UsageError } from '../../../../server/office/cli/usageError.ts'
import { unpackBatch, type BatchBlock } from '../../../../server/market/log/batch.ts'
import { LogCorruptError } from '../../../../server/platform/logCorruptError.ts'
import { createActWriter } from '../../../../server/notices/actLog/actLog.ts'
import { cutLog } from '../../../../server/market/log/logCut.ts'
import { firstViolation, verifyLog } from '../../../../server/market/log/verifyLog.ts'
import { manualClock, type ManualClock } from '../../../support/manualClock.ts'
import { corruptLog, logCorruptions } from './logCorruption.ts'
import { testFence } from '../../../support/testFence.ts'
import { openMarket, sha, syntheticProduct } from '../../../support/marketFixtures.ts'
import { openScratchPostgres, postgresUnavailableReason } from '../../../support/scratchPostgres.ts'
import { registerMember, blackBoxClient } from '../../../support/blackBoxClient.ts'
import { openWholeVenue, scratchFolder } from '../../../support/wholeVenue.ts'

const seconds = 40
/** Ticks of BUSY a second: a chunk is due at 4,096 ticks, so the log has its first one after about two seconds. */
const busyRate = 2000
const table = [
  ['BUSY', busyRate],
  ['CALM', 5],
].map(([id, ticksPerSecond]) => ({
  id,
  code: id,
  category: 'crypto',
  names: { en: id },
  priceDecimals: 2,
  durations: [{ seconds, rateBp: 8500, min: '1.00', max: '500.00' }],
  maxTickGapMs: 8000,
  entryTimeoutMs: 4000,
  recommended: true,
  feed: { synthetic: { seed: 3, ticksPerSecond, start: 100, volatility: 0.5 } },
}))

/** Cuts the log at each violation until there is none. Returns the places. */
async function cutAll(database: Database, clock: ManualClock): Promise<string[]> {
  const places: string[] = []
  for (;;) {
    const violation = firstViolation(await verifyLog(database.db, sha))
    if (violation === null) return places
    expect(places).not.toContain(violation.place)
    places.push(violation.place)
    await cutLog(
      {
        db: database.db,
        fence: testFence,
        sha,
        now: clock.now(),
        actor: 'mei',
        recordAct: createActWriter({ clock }),
      },
      violation,
    )
  }
}

it.each(Object.keys(logCorruptions))(
  'reports the place of %s at the start, retains the rows that are cut, and runs again',
  async (name) => {
    const clock = manualClock()
    const database = await withDatabase()
    const folder = await scratchFolder()
    const parts = { database, clock, table, recordingsDir: folder.path, dataDir: folder.path }
    try {
      let venue = await openWholeVenue(parts)
      const member = await registerMember(venue.url, 'member1', '13800000001')
      await clock.advance(2400)
      const { body: order } = await member.postWithKey<Order>('/api/orders', {
        productId: 'BUSY',
        direction: 'up',
        amount: '10.00',
        seconds,
        rateBp: 8500,
        validUntil: clock.now() + 5000,
      })
      await clock.advance(400)
      await venue.close()
      await corruptLog(database.pool, name)
      const ticksBefore = await countStoredTicks(database)

      const startError: unknown = await openMarket(database.db, clock, [
        syntheticProduct('BUSY', busyRate, 3),
        syntheticProduct('CALM', 5, 3),
      ]).catch((error: unknown) => error)
      expect(startError).toBeInstanceOf(LogCorruptError)
      expect(String(startError)).toMatch(
        /^LogCorruptError: the tick log is damaged at \S+, near 20\d\d-\S+Z: [^\n]+$/,
      )

      // The order closes while the venue is down.
      await clock.advance(60_000)
      const places = await cutAll(database, clock)
      expect(places.length).toBeGreaterThan(0)
      expect(await countStoredTicks(database)).toBe(ticksBefore)
      const actLog = await database.pool.query<{
        act: string
        actor: string
        subject_id: string
        details: string
      }>(`SELECT act, actor, subject_id, details FROM audit WHERE subject_kind = 'log' ORDER BY id`)
      expect(actLog.rows.map(({ subject_id }) => subject_id)).toEqual(places)
      expect(actLog.rows[0]).toMatchObject({ act: 'log cut', actor: 'mei' })
      expect(actLog.rows[0]?.details).toContain(`log cut --at ${places[0]}`)

      const chunksBefore = await countChunks(database)
      await clock.advance(3000)
      venue = await openWholeVenue(parts)
      const client = blackBoxClient(venue.url)
      Object.assign(client.session, member.session)
      // Long enough for two chunks after the cut.
      await clock.advance(5000)
      expect(venue.reportedErrors).toEqual([])
      await expect
        .poll(async () => (await client.get<Order>(`/api/orders/${order.id}`)).body)
        .toMatchObject({ status: 'refunded', reason: 'FEED_DOWN', payout: '10.00' })
      const gaps = await client.get<{ items: { from: number; to: number; refundedOrders: number }[] }>(
        '/api/products/BUSY/gaps',
      )
      expect(gaps.body.items.map(({ refundedOrders }) => refundedOrders)).toContain(1)
      await venue.close()
      expect((await verifyLog(database.db, sha)).violations).toEqual([])
      expect(await countChunks(database)).toBeGreaterThan(chunksBefore)
      expect(await findReusedNumbers(database)).toEqual([])
    } finally {
      await folder.remove()
    }
  },
)

/** How many different ticks are stored, in the log or in rows that were cut. */
async function countStoredTicks({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{
    at: number
    data: Buffer
    seq0: number | null
    seq1: number | null
    ix: number
  }>(`
    SELECT at, data, NULL::bigint AS seq0, NULL::bigint AS seq1, 0 AS ix FROM tick_batch
    UNION ALL SELECT at, data, NULL, NULL, 0 FROM cut_batch
    UNION ALL SELECT 0, data, seq0, seq1, ix FROM tick_chunk
    UNION ALL SELECT 0, data, seq0, seq1, ix FROM cut_chunk`)
  const ticks = new Set<string>()
  for (const { at, data, seq0, seq1, ix } of rows) {
    if (seq0 !== null && seq1 !== null) {
      for (let seq = seq0; seq <= seq1; seq++) ticks.add(`${ix} ${seq}`)
      continue
    }
    for (const block of readableBlocks(at, data)) {
      for (let i = 0; i < block.values.length / 3; i++) ticks.add(`${block.ix} ${block.seq0 + i}`)
    }
  }
  return ticks.size
}

function readableBlocks(at: number, data: Buffer): BatchBlock[] {
  try {
    return unpackBatch(at, data)
  } catch {
    return []
  }
}

async function countChunks({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ n: number }>('SELECT count(*)::int AS n FROM tick_chunk')
  return rows[0]?.n ?? 0
}

/** Chunks of the log that reuse a tick number of a head that was public before a cut. */
async function findReusedNumbers({ pool }: Database): Promise<unknown[]> {
  const { rows } = await pool.query(`SELECT c.ix, c.seq0, r.seq FROM tick_chunk c JOIN log_resume r USING (ix)
    WHERE c.seq0 <= r.seq AND c.seq1 > r.seq`)
  return rows
}

/** Creates a log as a venue leaves it after a clean stop. */
async function createLog(database: Database): Promise<void> {
  await database.migrate()
  const clock = manualClock()
  const market = await openMarket(database.db, clock, [
    syntheticProduct('BUSY', busyRate),
    syntheticProduct('CALM', 5),
  ])
  market.start()
  await clock.advance(2600)
  await market.stop()
}

type TestDatabase = {
  env: Record<string, string>
  open: () => Promise<Database>
  remove: () => Promise<void>
}

const databases: Record<string, () => Promise<TestDatabase>> = {
  embedded: async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'uptick-log-'))
    return {
      env: { DATA_DIR: dataDir },
      open: () => openDatabase({ dataDir }),
      remove: () => rm(dataDir, { recursive: true, force: true }),
    }
  },
  ...((await postgresUnavailableReason()) === null && {
    postgres: async () => {
      const scratch = await openScratchPostgres('log')
      const dataDir = await mkdtemp(join(tmpdir(), 'uptick-log-'))
      const opened = { ...scratch.database, close: async () => undefined }
      return {
        env: { DATA_DIR: dataDir, DATABASE_URL: scratch.url },
        open: async () => opened,
        remove: async () => {
          await scratch.drop()
          await rm(dataDir, { recursive: true, force: true })
        },
      }
    },
  }),
}

it.each(Object.keys(databases))(
  'checks and cuts the log by command on the %s database, unless a venue runs on it',
  async (kind) => {
    const testDatabase = await databases[kind]!()
    // Each command opens the database, which takes a second if it is the embedded one.
    const isAskedAll = kind === Object.keys(databases).at(-1)
    const run = async (...args: string[]): Promise<[code: number, output: string]> => {
      const lines: string[] = []
      const code = await runLogCommand(args, () => readSettings(testDatabase.env), {
        out: (line) => lines.push(line),
        progress: () => undefined,
      })
      return [code, lines.join('\n')]
    }
    try {
      if (kind === 'embedded') await expect(run('check')).rejects.toThrow('there is no database in')
      const database = await testDatabase.open()
      if (kind === 'embedded') await expect(run('check')).rejects.toThrow(/in use by process \d+/)
      await createLog(database)
      await corruptLog(database.pool, 'a flipped byte in a flush')
      await database.close()
      const [code, output] = await run('check')
      expect(code).toBe(1)
      const place = /npm run -s desk -- log cut --at (flush:\d+) --as NAME$/.exec(output)?.[1] ?? ''
      if (isAskedAll)
        expect(await run('cut', '--at', 'flush:1', '--as', 'mei')).toEqual([
          1,
          `the log can only be cut at ${place}`,
        ])
      await expect(run('cut')).rejects.toThrow(UsageError)
      await expect(run('cut', '--at', place)).rejects.toThrow('log cut needs --as')
      expect(await run('cut', '--at', place, '--as', 'mei')).toEqual([
        0,
        expect.stringMatching(/^cut at flush:\d+: \d+ flushes and 0 chunks moved, gaps for 2 products/),
      ])
      expect(await run('check')).toEqual([
        0,
        expect.stringMatching(/^the log is intact: \d+ chunks, \d+ ticks$/),
      ])
      if (isAskedAll)
        expect(await run('cut', '--at', 'flush:1', '--as', 'mei')).toEqual([
          1,
          'the log is intact: there is nothing to cut',
        ])
    } finally {
      await testDatabase.remove()
    }
  },
)

it.runIf('postgres' in databases)('names a database that does not exist', async () => {
  const scratch = await openScratchPostgres('log_none')
  const dataDir = await mkdtemp(join(tmpdir(), 'uptick-log-'))
  try {
    const env = { DATA_DIR: dataDir, DATABASE_URL: new URL('/uptick_none', scratch.url).href }
    const output = { out: () => undefined, progress: () => undefined }
    await expect(runLogCommand(['check'], () => readSettings(env), output)).rejects.toThrow(
      new UsageError('DATABASE_URL: the database uptick_none does not exist'),
    )
  } finally {
    await scratch.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
