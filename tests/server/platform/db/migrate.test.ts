import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../../server/platform/db/database.ts'
import { pgCode, safeDbError } from '../../../../server/platform/db/errors.ts'
import { SchemaMismatchError, assertMigrated, migrate } from '../../../../server/platform/db/migrate.ts'
import { openMemoryDatabase } from '../../../../server/platform/db/open.ts'
import {
  readSchema,
  type SchemaChange,
  type VenueSchema,
} from '../../../../server/platform/db/schemaFiles.ts'
import { withPostgres } from '../../../support/postgres.ts'

const postgres = await withPostgres('migrate')
const schema = readSchema()

describe('the embedded database', () => {
  let database: Database
  beforeAll(async () => {
    database = await openMemoryDatabase()
  })
  afterAll(() => database.close())
  migrationTests(() => database)
})

postgres.describe('PostgreSQL', () => {
  migrationTests(() => postgres.database())

  it('applies a change once if several venues start at the same time', async () => {
    const { pool } = postgres.database()
    const raced = withChanges(change(9_001, 'CREATE TABLE raced (id int)'))
    await Promise.all([migrate(pool, raced), migrate(pool, raced), migrate(pool, raced)])
    await undo(postgres.database(), ['raced'], [9_001])
  })
})

function migrationTests(database: () => Database): void {
  it('gets the changes after the baseline once, in the order of their numbers', async () => {
    const { pool } = database()
    const steps = [
      change(9_003, 'CREATE TABLE counted (id int)'),
      change(9_004, 'INSERT INTO counted VALUES (1)'),
    ] as const
    await migrate(pool, withChanges(steps[0]))
    await migrate(pool, withChanges(...steps))
    await migrate(pool, withChanges(...steps))
    expect((await pool.query('SELECT id FROM counted')).rows).toEqual([{ id: 1 }])
    expect((await pool.query('SELECT number, name FROM schema_version ORDER BY number')).rows).toEqual([
      { number: 0, name: 'baseline' },
      { number: 9_003, name: 'money/schema.9003-test.sql' },
      { number: 9_004, name: 'money/schema.9004-test.sql' },
    ])
    await undo(database(), ['counted'], [9_003, 9_004])
  })

  it('rolls back a change that fails, and applies it again', async () => {
    const { pool } = database()
    const broken = withChanges(change(9_002, 'CREATE TABLE halfway (id int); SELECT 1 / 0'))
    await expect(migrate(pool, broken)).rejects.toThrow('division by zero')
    await migrate(pool, withChanges(change(9_002, 'CREATE TABLE halfway (id int)')))
    await undo(database(), ['halfway'], [9_002])
  })

  it('is refused if a change was edited, is not known, or the baseline is another one', async () => {
    const { pool } = database()
    const made = withChanges(change(9_005, 'CREATE TABLE edited (id int)'))
    await migrate(pool, made)
    const refusals = [
      [withChanges(change(9_005, 'CREATE TABLE edited (id bigint)')), 'was edited after it was applied'],
      [schema, 'money/schema.9005-test.sql of a newer schema, which this build does not know'],
      [{ ...made, baseline: made.baseline.slice(1) }, otherBuild],
    ] as const
    for (const [other, line] of refusals) {
      await expect(migrate(pool, other)).rejects.toThrow(SchemaMismatchError)
      await expect(migrate(pool, other)).rejects.toThrow(line)
    }
    await expect(assertMigrated(pool)).rejects.toThrow('of a newer schema')
    await undo(database(), ['edited'], [9_005])
    await assertMigrated(pool)
  })

  it('is refused if a build before the baseline made it, and stays as it is', async () => {
    const { pool } = database()
    await pool.query(`ALTER TABLE schema_version RENAME TO hidden; CREATE TABLE migration (id integer)`)
    try {
      await expect(migrate(pool)).rejects.toThrow(otherBuild)
      await expect(assertMigrated(pool)).rejects.toThrow(otherBuild)
      expect((await pool.query(`SELECT to_regclass('schema_version') AS made`)).rows).toEqual([
        { made: null },
      ])
    } finally {
      await pool.query(`DROP TABLE migration; ALTER TABLE hidden RENAME TO schema_version`)
    }
  })

  it('denies changes of rows with deny_change, except for pruning that is allowed and requested', async () => {
    const { pool } = database()
    await pool.query(`
      CREATE TABLE kept (id int); CREATE TABLE prunable (id int);
      CREATE TRIGGER kept_deny BEFORE UPDATE OR DELETE ON kept FOR EACH ROW EXECUTE FUNCTION deny_change();
      CREATE TRIGGER kept_truncate BEFORE TRUNCATE ON kept FOR EACH STATEMENT EXECUTE FUNCTION deny_change();
      CREATE TRIGGER prunable_deny BEFORE UPDATE OR DELETE ON prunable
        FOR EACH ROW EXECUTE FUNCTION deny_change('prune');
      INSERT INTO kept VALUES (1); INSERT INTO prunable VALUES (1)`)
    const run = async (sql: string): Promise<unknown> => {
      const error = await pool.query(sql).then(
        () => null,
        (reason: unknown) => reason,
      )
      return error === null ? 'done' : safeDbError(error)
    }
    const prune = (sql: string): string => `BEGIN; SET LOCAL uptick.prune = 'on'; ${sql}; COMMIT`
    const denied = (table: string): object => ({ code: '23001', constraint: null, table })
    expect(await run('UPDATE kept SET id = 2')).toEqual(denied('kept'))
    expect(await run('DELETE FROM kept')).toEqual(denied('kept'))
    expect(await run('TRUNCATE kept')).toEqual(denied('kept'))
    expect(await run('DELETE FROM prunable')).toEqual(denied('prunable'))
    expect(await rolledBack(database(), prune('DELETE FROM kept'))).toBe('23001')
    expect(await rolledBack(database(), prune('UPDATE prunable SET id = 2'))).toBe('23001')
    expect(await rolledBack(database(), prune('DELETE FROM prunable'))).toBe(null)
    expect(await run('UPDATE prunable SET id = 2')).toBe('done')
    await pool.query('DROP TABLE kept, prunable')
  })
}

const otherBuild = 'The database was made by another build, with a schema that this one does not continue'

const change = (number: number, sql: string): SchemaChange => ({
  number,
  name: `money/schema.${number}-test.sql`,
  sql,
})

const withChanges = (...changes: SchemaChange[]): VenueSchema => ({ ...schema, changes })

async function undo({ pool }: Database, tables: string[], numbers: number[]): Promise<void> {
  const { rows } = await pool.query('DELETE FROM schema_version WHERE number = ANY ($1) RETURNING number', [
    numbers,
  ])
  expect(rows.map(({ number }) => number)).toEqual(numbers)
  await pool.query(`DROP TABLE ${tables.join()}`)
}

/** Runs SQL with transaction commands on a separate connection; returns the SQLSTATE it failed with, or null. */
async function rolledBack(database: Database, sql: string): Promise<string | null> {
  const client = await database.pool.connect()
  try {
    await client.query(sql)
    return null
  } catch (error) {
    return pgCode(error)
  } finally {
    client.release(true)
  }
}
