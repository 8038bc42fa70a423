import { is } from 'drizzle-orm'
import { PgTable, getTableConfig } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../server/db/database.ts'
import { pgCode, safeDbError } from '../../../server/db/errors.ts'
import { MigrationMismatchError, migrate } from '../../../server/db/migrate.ts'
import { migrations } from '../../../server/db/migrations/index.ts'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import * as schema from '../../../server/db/schema/index.ts'
import { withPostgres } from '../../support/postgres.ts'

const postgres = await withPostgres('migrate')

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
  it('migrates once if several venues start at the same time', async () => {
    const { pool } = postgres.database()
    const steps = [...migrations, step(9_001, 'CREATE TABLE raced (id int)')]
    await Promise.all([migrate(pool, steps), migrate(pool, steps), migrate(pool, steps)])
    await undoMigration(postgres.database(), 9_001, 'raced')
  })
})

function migrationTests(database: () => Database): void {
  it('has exactly the tables and columns of the Drizzle schema', async () => {
    expect(await migratedColumns(database())).toEqual(declaredColumns())
  })

  it('rejects an edited or unknown migration', async () => {
    const { pool } = database()
    const edited = migrations.map((migration) =>
      migration.id === 0 ? { ...migration, sql: `${migration.sql} ` } : migration,
    )
    await expect(migrate(pool, edited)).rejects.toThrow(MigrationMismatchError)
    await expect(migrate(pool, migrations.slice(1))).rejects.toThrow(MigrationMismatchError)
    await expect(migrate(pool, [...migrations, step(0, '')])).rejects.toThrow(MigrationMismatchError)
  })

  it('rolls back a migration that fails, and runs it again', async () => {
    const { pool } = database()
    const broken = [...migrations, step(9_002, 'CREATE TABLE halfway (id int); SELECT 1 / 0')]
    await expect(migrate(pool, broken)).rejects.toThrow('division by zero')
    await migrate(pool, [...migrations, step(9_002, 'CREATE TABLE halfway (id int)')])
    await undoMigration(database(), 9_002, 'halfway')
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

function step(id: number, sql: string): { id: number; name: string; sql: string } {
  return { id, name: `step-${id}`, sql }
}

async function undoMigration(database: Database, id: number, table: string): Promise<void> {
  const { rows } = await database.pool.query('SELECT name FROM migration WHERE id = $1', [id])
  expect(rows).toEqual([{ name: `step-${id}` }])
  await database.pool.query(`DROP TABLE ${table}`)
  await database.pool.query('DELETE FROM migration WHERE id = $1', [id])
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

/** One line per column: table, column, type, nullability, and whether it has a default. */
function declaredColumns(): string[] {
  return Object.values(schema)
    .filter((value) => is(value, PgTable))
    .flatMap((table) => {
      const { name, columns } = getTableConfig(table)
      return columns.map((column) => {
        const type = sqlType(column.getSQLType())
        const filled = column.hasDefault || column.generatedIdentity !== undefined
        return `${name}.${column.name} ${type}${column.notNull ? ' not null' : ''}${filled ? ' filled' : ''}`
      })
    })
    .sort()
}

async function migratedColumns(database: Database): Promise<string[]> {
  const { rows } = await database.pool.query<{ line: string }>(`
    SELECT format('%s.%s %s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
                  CASE WHEN a.attnotnull THEN ' not null' ELSE '' END,
                  CASE WHEN a.atthasdef OR a.attidentity <> '' THEN ' filled' ELSE '' END) AS line
    FROM pg_attribute a
    JOIN pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p')
    JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
    WHERE a.attnum > 0 AND NOT a.attisdropped`)
  return rows.map((row) => row.line).sort()
}

/** PostgreSQL's name of a Drizzle type. */
function sqlType(declared: string): string {
  return declared
    .replace(/^bigserial/, 'bigint')
    .replace(/^smallserial/, 'smallint')
    .replace(/^serial/, 'integer')
    .replace(/^varchar/, 'character varying')
    .replace(/^char\b/, 'character')
    .replace(/^timestamp( \(\d\))?$/, 'timestamp$1 without time zone')
    .replaceAll(', ', ',')
}
