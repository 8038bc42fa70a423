import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkpointIfDue, vacuumDueTables } from '../../../../server/platform/db/housekeeping.ts'
import { openDatabase, type Database } from '../../../../server/platform/db/open.ts'
import { manualClock } from '../../../support/manualClock.ts'

let dir = ''
let database: Database

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uptick-venue-'))
  // Its own housekeeping, each five seconds, must not take the work that the tests expect.
  database = await openDatabase({ dataDir: dir, clock: manualClock() })
  await database.pool.query('CREATE TABLE chunk (id int, bytes bytea)')
  await database.pool.query('ALTER TABLE chunk ALTER COLUMN bytes SET STORAGE EXTERNAL')
})
afterAll(async () => {
  await database.close()
  await rm(dir, { recursive: true, force: true })
})

const segments = async (): Promise<number> =>
  (await readdir(join(dir, 'db', 'pg_wal'))).filter((name) => /^[0-9A-F]{24}$/.test(name)).length

it('makes a checkpoint once the log has grown enough, so that it stays small', async () => {
  await database.pool.query('CHECKPOINT')
  expect(await checkpointIfDue(database.pool)).toBe(false)
  for (let round = 0; round < 4; round += 1) {
    for (let n = 0; n < 60; n += 1) {
      await database.pool.query('INSERT INTO chunk VALUES ($1, $2)', [n, Buffer.alloc(100_000, n)])
    }
    expect(await checkpointIfDue(database.pool)).toBe(true)
    expect(await checkpointIfDue(database.pool)).toBe(false)
  }
  expect(await segments()).toBeLessThanOrEqual(17)
})

it('vacuums and analyses tables that changed', async () => {
  await database.pool.query('CREATE TABLE busy (id int, n int)')
  await database.pool.query('INSERT INTO busy SELECT g, 0 FROM generate_series(1, 2000) g')
  await database.pool.query('UPDATE busy SET n = 1')
  await database.pool.query('SELECT pg_stat_force_next_flush()')
  expect(await vacuumDueTables(database.pool)).toContain('public.busy')
  expect(await vacuumDueTables(database.pool)).toEqual([])
  const { rows } = await database.pool.query(
    "SELECT reltuples::int AS n FROM pg_class WHERE relname = 'busy'",
  )
  expect(rows).toEqual([{ n: 2000 }])
})
