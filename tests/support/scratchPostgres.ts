import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import type { Database } from '../../server/platform/db/database.ts'
import { pgCode } from '../../server/platform/db/errors.ts'
import { openPostgresDatabase } from '../../server/platform/db/open.ts'
import { roleNamesOf } from '../../server/platform/db/roles/roles.ts'
import { readSchema, schemaHash } from '../../server/platform/db/schemaFiles.ts'

/** A PostgreSQL database with the venue's tables for one test run. */
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

/** The server for tests: `TEST_DATABASE_URL`, otherwise 127.0.0.1:5432 (user `postgres`, trust). */
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

/** Creates a new database with the venue's tables on a server. */
export async function openScratchPostgres(name: string, server = postgresServer()): Promise<ScratchPostgres> {
  const scratch = scratchName(name)
  await copyTemplate(server, scratch)
  const { url, database } = await openOn(server, scratch)
  return {
    database,
    url,
    drop: async (login) => {
      await database.close()
      await dropDatabase(server, scratch, login)
    },
  }
}

/** Runs `work` with a new database without tables, and drops it. */
export async function withEmptyPostgres<T>(
  name: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const server = postgresServer()
  const scratch = scratchName(name)
  await runOnce(server, `CREATE DATABASE ${scratch}`)
  const { database } = await openOn(server, scratch)
  try {
    return await work(database)
  } finally {
    await database.close()
    await dropDatabase(server, scratch)
  }
}

/** Works as the owner, also after a venue has begun to work as its run roles. */
async function openOn(server: string, name: string): Promise<{ url: string; database: Database }> {
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href
  const address = { databaseUrl: url, sessionName: 'uptick tests' }
  return { url, database: await openPostgresDatabase(address) }
}

const scratchName = (name: string): string =>
  `uptick_test_${name.replaceAll(/\W/g, '_')}_${randomUUID().slice(0, 8)}`.toLowerCase()

const dropDatabase = (server: string, name: string, ...logins: (string | undefined)[]): Promise<void> =>
  withClient(server, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    const roles = [...Object.values(roleNamesOf(name)), ...logins.filter((login) => login !== undefined)]
    await client.query(`DROP ROLE IF EXISTS ${roles.join()}`)
  })

/** Any fixed number: test processes that create databases at the same time take turns. */
const templateLockKey = 7_202_599

/**
 * Copies a database that was made once and stays on the server, which takes less time. After a change of the schema another one
 * replaces it.
 */
async function copyTemplate(server: string, scratch: string): Promise<void> {
  const { baseline, changes } = readSchema()
  const key = schemaHash([...baseline, ...changes]).slice(0, 16)
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
