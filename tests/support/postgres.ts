import { randomUUID } from 'node:crypto'
import { Client, Pool } from 'pg'
import { afterAll, beforeAll, describe } from 'vitest'
import { databaseOf, postgresPoolConfig } from '../../server/db/database.ts'
import type { Database } from '../../server/db/database.ts'
import { pgCode } from '../../server/db/errors.ts'

/** A scratch PostgreSQL database of one test file. */
export interface PostgresFixture {
  readonly available: boolean
  /** `describe`, or `describe.skip` when no PostgreSQL answers. */
  readonly describe: typeof describe | typeof describe.skip
  /** The migrated scratch database; only inside tests and hooks. */
  readonly database: () => Database
  /** Its address, for a second process; only inside tests and hooks. */
  readonly url: () => string
}

/**
 * Finds PostgreSQL at `TEST_DATABASE_URL`, else at 127.0.0.1:5432 (user postgres, trust), and gives this test file a
 * database of its own: made and migrated before its tests, dropped after them. Await it at the file's top level.
 * Without PostgreSQL the tests under `describe` are skipped and one line says why; a set address must answer.
 */
export async function withPostgres(name: string): Promise<PostgresFixture> {
  const given = process.env['TEST_DATABASE_URL']
  const server = given ?? 'postgres://postgres@127.0.0.1:5432/postgres'
  const refusal = await refusalOf(server)
  if (refusal !== null) {
    if (given !== undefined) throw new Error(`TEST_DATABASE_URL does not answer: ${refusal}`)
    console.warn(`PostgreSQL tests of ${name} are skipped: nothing usable at 127.0.0.1:5432 (${refusal}).`)
    return { available: false, describe: describe.skip, database: missing, url: missing }
  }

  const scratch = `uptick_test_${name.replaceAll(/\W/g, '_')}_${randomUUID().slice(0, 8)}`.toLowerCase()
  const url = Object.assign(new URL(server), { pathname: `/${scratch}` }).href
  let database: Database | null = null
  beforeAll(async () => {
    await runOnce(server, `CREATE DATABASE ${scratch}`)
    const pool = new Pool(postgresPoolConfig(url))
    pool.on('error', () => undefined)
    database = databaseOf('postgres', pool, async () => undefined)
    await database.migrate()
  })
  afterAll(async () => {
    await database?.close()
    await runOnce(server, `DROP DATABASE IF EXISTS ${scratch} WITH (FORCE)`)
  })
  return { available: true, describe, database: () => database ?? missing(), url: () => url }
}

function missing(): never {
  throw new Error('No scratch database here.')
}

async function refusalOf(url: string): Promise<string | null> {
  try {
    await runOnce(url, 'SELECT 1')
    return null
  } catch (error) {
    return pgCode(error) ?? String(error)
  }
}

async function runOnce(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3_000 })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
