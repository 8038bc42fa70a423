import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DataDirLockedError } from '../../../../server/platform/db/lock.ts'
import { openDatabase, openMemoryDatabase, type Database } from '../../../../server/platform/db/open.ts'
import { setting } from '../../../../server/platform/db/schema.ts'
import { withPostgres } from '../../../support/postgres.ts'

const postgres = await withPostgres('open')

describe('the embedded database in its thread', () => {
  let dir = ''
  let database: Database

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'uptick-db-'))
    database = await openDatabase({ dataDir: dir })
    await database.migrate()
  })
  afterAll(async () => {
    await database.close()
    await rm(dir, { recursive: true, force: true })
  })

  databaseTests(() => database)

  it('rolls back a transaction and its settings if its connection breaks', async () => {
    const client = await database.pool.connect()
    await client.query('BEGIN')
    await client.query("INSERT INTO setting (key, value) VALUES ('half', '1')")
    await client.query("SET search_path = 'nowhere'")
    client.release(true)
    expect(await keys(database)).not.toContain('half')
    expect((await database.pool.query('SHOW search_path')).rows).toEqual([{ search_path: 'public' }])
  })

  it('does not mix the answer of an abandoned query with the next connection’s', async () => {
    const client = await database.pool.connect()
    await client.query('BEGIN')
    const abandoned = client.query('SELECT repeat($1, 100000)', ['x']).catch(() => 'lost')
    client.release(true)
    const { rows } = await database.pool.query('SELECT 7 AS n')
    expect(rows).toEqual([{ n: 7 }])
    await abandoned
  })

  it('rejects a second process while the folder is open', async () => {
    await expect(openDatabase({ dataDir: dir })).rejects.toThrow(DataDirLockedError)
  })

  it('has its data after it was closed and opened again', async () => {
    await database.db.insert(setting).values({ key: 'kept', value: { a: 1 } })
    await database.close()
    database = await openDatabase({ dataDir: dir })
    await database.migrate()
    expect(await keys(database)).toContain('kept')
  })
})

describe('the database in memory', () => {
  let database: Database
  beforeAll(async () => {
    database = await openMemoryDatabase()
  })
  afterAll(() => database.close())
  databaseTests(() => database)
})

postgres.describe('PostgreSQL', () => {
  databaseTests(postgres.database)
})

async function keys(database: Database): Promise<string[]> {
  return (await database.db.select({ key: setting.key }).from(setting)).map((row) => row.key)
}

/** What the venue relies on with either database. */
function databaseTests(database: () => Database): void {
  it('commits, and rolls back if the work throws', async () => {
    const { db } = database()
    await db.transaction(async (tx) => {
      await tx.insert(setting).values({ key: 'committed', value: 1 })
    })
    await expect(
      db.transaction(async (tx) => {
        await tx.insert(setting).values({ key: 'thrown', value: 1 })
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    expect(await keys(database())).toEqual(expect.arrayContaining(['committed']))
    expect(await keys(database())).not.toContain('thrown')
  })

  it('aborts only the transaction of a failed statement', async () => {
    const { db } = database()
    await expect(
      db.transaction(async (tx) => {
        await tx.insert(setting).values({ key: 'spoiled', value: 1 })
        await tx.execute(sql`SELECT 1 / 0`)
      }),
    ).rejects.toThrow()
    expect(await keys(database())).not.toContain('spoiled')
    expect((await db.execute(sql`SELECT 1 AS n`)).rows).toEqual([{ n: 1 }])
  })

  it('returns each of many concurrent callers their own answer', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => database().db.execute(sql`SELECT ${n}::int AS n`)),
    )
    expect(answers.map((answer) => answer.rows[0]?.['n'])).toEqual(Array.from({ length: 200 }, (_, n) => n))
  })

  it('transfers bytes of every value and answers of a megabyte', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, n) => n))
    const { rows } = await database().pool.query('SELECT $1::bytea AS bytes, repeat($2, 1000000) AS long', [
      bytes,
      'x',
    ])
    expect(bytes.equals(rows[0].bytes)).toBe(true)
    expect(rows[0].long).toHaveLength(1_000_000)
  })

  it('reads 64-bit integers as numbers, and rejects those that would be rounded', async () => {
    const { db } = database()
    expect((await db.execute(sql`SELECT 9007199254740991::int8 AS n`)).rows).toEqual([
      { n: 9007199254740991 },
    ])
    await expect(db.execute(sql`SELECT 9007199254740993::int8 AS n`)).rejects.toThrow()
    expect((await db.execute(sql`SELECT 1 AS n`)).rows).toEqual([{ n: 1 }])
  })

  it('can be migrated again without a change', async () => {
    await database().migrate()
    await database().migrate()
    expect((await database().pool.query('SELECT number FROM schema_version')).rows).toEqual([{ number: 0 }])
  })
}
