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
  agrees(() => database)
})

postgres.describe('PostgreSQL', () => {
  agrees(() => postgres.database())
  it('venues that start at once migrate once', async () => {
    const { pool } = postgres.database()
    const steps = [...migrations, step(9_001, 'CREATE TABLE raced (id int)')]
    await Promise.all([migrate(pool, steps), migrate(pool, steps), migrate(pool, steps)])
    await undo(postgres.database(), 9_001, 'raced')
  })
})

function agrees(database: () => Database): void {
  it('has exactly the tables and columns that Drizzle is told of', async () => {
    expect(await migratedColumns(database())).toEqual(declaredColumns())
  })

  it('an edited or unknown migration stops the start', async () => {
    const { pool } = database()
    const edited = migrations.map((one) => (one.id === 0 ? { ...one, sql: `${one.sql} ` } : one))
    await expect(migrate(pool, edited)).rejects.toThrow(MigrationMismatchError)
    await expect(migrate(pool, migrations.slice(1))).rejects.toThrow(MigrationMismatchError)
    await expect(migrate(pool, [...migrations, step(0, '')])).rejects.toThrow(MigrationMismatchError)
  })

  it('a migration that fails leaves nothing of itself, and is run again', async () => {
    const { pool } = database()
    const broken = [...migrations, step(9_002, 'CREATE TABLE halfway (id int); SELECT 1 / 0')]
    await expect(migrate(pool, broken)).rejects.toThrow('division by zero')
    await migrate(pool, [...migrations, step(9_002, 'CREATE TABLE halfway (id int)')])
    await undo(database(), 9_002, 'halfway')
  })

  it('deny_change keeps rows; deletes pass only where pruning is allowed and asked for', async () => {
    const { pool } = database()
    await pool.query(`
      CREATE TABLE kept (id int); CREATE TABLE prunable (id int);
      CREATE TRIGGER kept_deny BEFORE UPDATE OR DELETE ON kept FOR EACH ROW EXECUTE FUNCTION deny_change();
      CREATE TRIGGER kept_truncate BEFORE TRUNCATE ON kept FOR EACH STATEMENT EXECUTE FUNCTION deny_change();
      CREATE TRIGGER prunable_deny BEFORE UPDATE OR DELETE ON prunable
        FOR EACH ROW EXECUTE FUNCTION deny_change('prune');
      INSERT INTO kept VALUES (1); INSERT INTO prunable VALUES (1)`)
    const refused = async (sql: string): Promise<unknown> => {
      const error = await pool.query(sql).then(
        () => null,
        (reason: unknown) => reason,
      )
      return error === null ? 'done' : safeDbError(error)
    }
    const prune = (sql: string): string => `BEGIN; SET LOCAL uptick.prune = 'on'; ${sql}; COMMIT`
    const denied = (table: string): object => ({ code: '23001', constraint: null, table })
    expect(await refused('UPDATE kept SET id = 2')).toEqual(denied('kept'))
    expect(await refused('DELETE FROM kept')).toEqual(denied('kept'))
    expect(await refused('TRUNCATE kept')).toEqual(denied('kept'))
    expect(await refused('DELETE FROM prunable')).toEqual(denied('prunable'))
    expect(await rolledBack(database(), prune('DELETE FROM kept'))).toBe('23001')
    expect(await rolledBack(database(), prune('UPDATE prunable SET id = 2'))).toBe('23001')
    expect(await rolledBack(database(), prune('DELETE FROM prunable'))).toBe(null)
    expect(await refused('UPDATE prunable SET id = 2')).toBe('done')
    await pool.query('DROP TABLE kept, prunable')
  })
}

function step(id: number, sql: string): { id: number; name: string; sql: string } {
  return { id, name: `step-${id}`, sql }
}

async function undo(database: Database, id: number, table: string): Promise<void> {
  const { rows } = await database.pool.query('SELECT name FROM migration WHERE id = $1', [id])
  expect(rows).toEqual([{ name: `step-${id}` }])
  await database.pool.query(`DROP TABLE ${table}`)
  await database.pool.query('DELETE FROM migration WHERE id = $1', [id])
}

/** Runs SQL with transaction commands on a connection of its own; the SQLSTATE it failed with, or null. */
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

/** One line per column: table, column, type, nullability, and whether the database fills it in. */
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

/** Drizzle's words for a type, in PostgreSQL's own. */
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
