import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import type { Database } from '../../server/db/database.ts'
import { pgCode } from '../../server/db/errors.ts'
import { openPostgresDatabase } from '../../server/db/open.ts'
import { roleNamesOf } from '../../server/db/roles/roles.ts'

/** A migrated PostgreSQL database for one test run. */
export type ScratchPostgres = {
  readonly database: Database
  /** Its address, for a second process. */
  readonly url: string
  /** Closes and drops it, even if clients are still connected. */
  drop(): Promise<void>
}

/** The server for tests: `TEST_DATABASE_URL`, otherwise 127.0.0.1:5432 (user postgres, trust). */
export const postgresServer = (): string =>
  process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** Why the server cannot be used; null if it answers. */
export async function postgresUnavailableReason(): Promise<string | null> {
  try {
    await runOnce(postgresServer(), 'SELECT 1')
    return null
  } catch (error) {
    return pgCode(error) ?? String(error)
  }
}

/** Creates a new database on a server and migrates it. */
export async function openScratchPostgres(name: string, server = postgresServer()): Promise<ScratchPostgres> {
  const scratch = `uptick_test_${name.replaceAll(/\W/g, '_')}_${randomUUID().slice(0, 8)}`.toLowerCase()
  const url = Object.assign(new URL(server), { pathname: `/${scratch}` }).href
  await runOnce(server, `CREATE DATABASE ${scratch}`)
  // As the owner, also after a venue has begun to work as its run roles.
  const database = await openPostgresDatabase({ databaseUrl: url, directUrl: url })
  await database.migrate()
  return {
    database,
    url,
    drop: async () => {
      await database.close()
      await runOnce(server, `DROP DATABASE IF EXISTS ${scratch} WITH (FORCE)`)
      for (const role of Object.values(roleNamesOf(scratch)))
        await runOnce(server, `DROP ROLE IF EXISTS ${role}`)
    },
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
