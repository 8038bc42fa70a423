import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { is } from 'drizzle-orm'
import { PgTable, getTableConfig } from 'drizzle-orm/pg-core'
import { afterAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../../server/platform/db/database.ts'
import { emptyDatabaseName, findEmptyDatabase } from '../../../../server/platform/db/emptyDatabase.ts'
import { createEngineDatabase, openEngineWithTables } from '../../../../server/platform/db/memory.ts'
import { withDatabase } from '../../../support/withVenue.ts'
import * as schema from '../../../support/tables.ts'
import { readSchema, schemaHash } from '../../../../server/platform/db/schemaFiles.ts'
import { readCatalog } from '../../../support/catalog.ts'
import {
  openScratchPostgres,
  postgresUnavailableReason,
  withEmptyPostgres,
} from '../../../support/scratchPostgres.ts'

const hasPostgres = (await postgresUnavailableReason()) === null

/** What the statements of the files make of an empty database, with the venue's roles. */
async function appliedByHand(database: Database): Promise<string[]> {
  const { baseline, changes } = readSchema()
  for (const { sql } of [...baseline, ...changes]) await database.owner.query(sql)
  return catalogOf(database)
}

/** Leaves what a new cluster has, which takes seven seconds of processor time to create. */
async function dropEverything({ owner }: Database): Promise<void> {
  await owner.query('DROP SCHEMA public CASCADE')
  const { rows } = await owner.query<{ role: string }>(
    'SELECT quote_ident(rolname) AS role FROM pg_roles WHERE oid >= 16384',
  )
  for (const { role } of rows) await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
  await owner.query(
    'CREATE SCHEMA public AUTHORIZATION pg_database_owner; GRANT USAGE ON SCHEMA public TO PUBLIC',
  )
  await owner.query('GRANT TEMPORARY ON DATABASE postgres TO PUBLIC')
  expect((await readCatalog(owner)).filter((line) => !/^(database|extensions|schemas): /.test(line))).toEqual(
    [],
  )
}

/** Without the row that says which schema it is. */
async function catalogOf(database: Database): Promise<string[]> {
  await database.useRoles()
  return (await readCatalog(database.owner)).filter((line) => !line.startsWith('rows: schema_version '))
}

it('a new embedded database, which is a copy of the empty one, has what the files say', async () => {
  const engine = await openEngineWithTables()
  const byHand = createEngineDatabase(engine, () => engine.pglite.close())
  await dropEverything(byHand)
  const copy = await withDatabase()
  expect(await catalogOf(copy)).toEqual(await appliedByHand(byHand))
  await byHand.close()
})

it.runIf(hasPostgres)('a new PostgreSQL database has what the files say', async () => {
  const created = await openScratchPostgres('created')
  const catalog = await catalogOf(created.database)
  await created.drop()
  expect(catalog).toEqual(await withEmptyPostgres('files', appliedByHand))
})

it('has exactly the tables and columns of the Drizzle schema', async () => {
  const database = await withDatabase()
  expect(await columnsOf(database)).toEqual(declaredColumns())
})

// A database keeps this hash, and a build with another one refuses it: what comes after a release is a change of its own
// (`schema.NUMBER-WORDS.sql`). Before the first release the files may change, and this line with them.
it('has the pinned baseline', () => {
  expect(schemaHash(readSchema().baseline)).toBe(
    '8d92865120548b1b0bca09dba8ad7b39cd271e17d8c4223850dd9fd4ede27d85',
  )
})

describe('the files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'uptick-schema-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const write = (name: string): void => {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), name)
  }
  const read = () => readSchema(pathToFileURL(`${folder}/`))

  it('are applied area by area, and changes after them by their numbers', () => {
    for (const name of [
      'money/schema.sql',
      'money/schema.10-late.sql',
      'money/schema.ts',
      'market/schema.sql',
    ])
      write(name)
    write('office/schema.9-early.sql')
    const { baseline, changes } = read()
    expect(baseline.map(({ name }) => name)).toEqual(['market/schema.sql', 'money/schema.sql'])
    expect(changes.map(({ name, number }) => [number, name])).toEqual([
      [9, 'office/schema.9-early.sql'],
      [10, 'money/schema.10-late.sql'],
    ])
  })

  it('have numbers of their own', () => {
    write('market/schema.9-again.sql')
    expect(read).toThrow('has the number of')
  })
})

it('an empty database of another schema is not found', () => {
  expect(findEmptyDatabase()).toContain(emptyDatabaseName())
  expect(findEmptyDatabase('emptyDatabase-0000000000000000.tar.gz')).toBe(null)
})

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

async function columnsOf(database: Database): Promise<string[]> {
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
