import { hash, randomUUID } from 'node:crypto'
import { Client } from 'pg'
import type { Database } from '../../server/db/database.ts'
import { pgCode } from '../../server/db/errors.ts'
import { migrationHash } from '../../server/db/migrate.ts'
import { migrations } from '../../server/db/migrations/index.ts'
import { openPostgresDatabase } from '../../server/db/open.ts'
import { roleNamesOf } from '../../server/db/roles/roles.ts'

/** A migrated PostgreSQL database for one test run. */
export type ScratchPostgres = {
  readonly database: Database
  /** Its address, for a second process. */
  readonly url: string
  /**
   * Closes and drops it, even if clients are still connected.
   * @param login a role that a test made for this database, dropped too
   */
  drop(login?: string): Promise<void>
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

/** Creates a new, migrated database on a server. */
export async function openScratchPostgres(name: string, server = postgresServer()): Promise<ScratchPostgres> {
  const scratch = `uptick_test_${name.replaceAll(/\W/g, '_')}_${randomUUID().slice(0, 8)}`.toLowerCase()
  await copyTemplate(server, scratch)
  const { url, database } = await openOn(server, scratch)
  return {
    database,
    url,
    drop: async (login) => {
      await database.close()
      await withClient(server, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${scratch} WITH (FORCE)`)
        const roles = [...Object.values(roleNamesOf(scratch)), ...(login === undefined ? [] : [login])]
        await client.query(`DROP ROLE IF EXISTS ${roles.join()}`)
      })
    },
  }
}

/** Works as the owner, also after a venue has begun to work as its run roles. */
async function openOn(server: string, name: string): Promise<{ url: string; database: Database }> {
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href
  const address = { databaseUrl: url, sessionName: 'uptick tests' }
  return { url, database: await openPostgresDatabase(address) }
}

/** Any fixed number: test processes that create databases at the same time take turns. */
const templateLockKey = 7_202_599

/**
 * Copies a database that was migrated once and stays on the server: a copy takes a sixth of the migrations' time. After
 * a change of the migrations another one replaces it.
 */
async function copyTemplate(server: string, scratch: string): Promise<void> {
  const key = hash('sha256', migrations.map(migrationHash).join()).slice(0, 16)
  const template = `uptick_template_${key}`
  await withClient(server, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [templateLockKey])
    const { rows } = await client.query<{ name: string }>(
      "SELECT datname AS name FROM pg_database WHERE datname LIKE 'uptick\\_template\\_%'",
    )
    if (!rows.some(({ name }) => name === template)) {
      for (const { name } of rows) await client.query(`DROP DATABASE ${name}`)
      const draft = `${template}_draft`
      await client.query(`CREATE DATABASE ${draft}`)
      const { database } = await openOn(server, draft)
      await database.migrate()
      await database.close()
      await client.query(`ALTER DATABASE ${draft} RENAME TO ${template}`)
    }
    await client.query(`CREATE DATABASE ${scratch} TEMPLATE ${template}`)
  })
}

const runOnce = (url: string, sql: string): Promise<unknown> => withClient(url, (client) => client.query(sql))

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3_000 })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
