import { callbackify } from 'node:util'
import { Client, escapeLiteral } from 'pg'
import type { ClientBase, PoolConfig, QueryResult } from 'pg'
import { SettingsError } from '../config.ts'
import { timeLimits, unlimitedPoolConfig, withRole } from './database.ts'
import type { PostgresAddress } from './database.ts'
import { pgCode } from './errors.ts'
import { connecting } from './operatorErrors.ts'

/** Any fixed number: nodes that start at the same time take turns. */
const limitsLockKey = 7_202_513
const limitNames = Object.keys(timeLimits)

/**
 * The venue's settings for a transaction pooler. Time limits cannot be sent when a connection opens, and a session that
 * has none is not used. Statements have no names: the next one of a connection may run in another session.
 */
export const poolerPoolConfig = (url: string, sessionName: string, max?: number): PoolConfig => ({
  ...unlimitedPoolConfig(url, sessionName, max),
  verify: callbackify(async (client: ClientBase) => {
    dropStatementNames(client)
    await assertTimeLimits(client)
  }),
})

/**
 * Sets over the direct address what sessions of a pooler begin with, then checks that the pooler leads to that database.
 * @throws SettingsError with one line
 */
export async function preparePooler(address: PostgresAddress): Promise<void> {
  const { directUrl, sessionName } = address
  const client = new Client(withRole(unlimitedPoolConfig(directUrl, sessionName), null))
  client.on('error', () => undefined)
  try {
    await connecting(address, 'DATABASE_DIRECT_URL', () => client.connect())
    await setTimeLimits(client)
    await assertSameDatabase(client, address)
  } finally {
    await client.end()
  }
}

/** Time limits of the role in this database, where neither role, database nor server has one. */
async function setTimeLimits(client: Client): Promise<void> {
  const missing = await missingLimits(client)
  if (missing.length === 0) return
  await client.query('SELECT pg_advisory_lock($1)', [limitsLockKey])
  try {
    for (const [name, ms] of Object.entries(timeLimits)) {
      if (!missing.includes(name)) continue
      await client.query(`DO $$ BEGIN EXECUTE format(
        'ALTER ROLE CURRENT_USER IN DATABASE %I SET ${name} = ${ms}', current_database()); END $$`)
    }
  } catch (error) {
    // Somebody else has to set them: the sessions of the pooler show whether they are set.
    if (pgCode(error) !== '42501') throw error
  }
}

async function assertSameDatabase(direct: Client, address: PostgresAddress): Promise<void> {
  const { databaseUrl, sessionName } = address
  const { rows } = await direct.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const pooled = new Client(unlimitedPoolConfig(databaseUrl, sessionName))
  pooled.on('error', () => undefined)
  try {
    await connecting(address, 'DATABASE_URL', () => pooled.connect())
    // As the login: a run role does not see its other sessions. One message, so that it stays one session.
    const answers: unknown = await pooled.query(
      `BEGIN; SET LOCAL ROLE NONE; SELECT FROM pg_stat_activity
       WHERE pid = ${Number(rows[0]?.pid)} AND application_name = ${escapeLiteral(sessionName)}
         AND datname = current_database(); COMMIT`,
    )
    const [, , seen] = answers as QueryResult[]
    if (seen?.rowCount === 0)
      throw new SettingsError('DATABASE_URL and DATABASE_DIRECT_URL must lead to the same database')
  } finally {
    await pooled.end()
  }
}

/** @throws SettingsError if a statement of this connection could run for ever */
export async function assertTimeLimits(client: Pick<ClientBase, 'query'>): Promise<void> {
  const [missing] = await missingLimits(client)
  if (missing === undefined) return
  throw new SettingsError(
    `DATABASE_URL: a session has no ${missing}; behind a pooler, set DATABASE_DIRECT_URL to the database itself, ` +
      'with the same role, and let the pooler open its connections again',
  )
}

async function missingLimits(client: Pick<ClientBase, 'query'>): Promise<string[]> {
  const columns = limitNames.map((name) => `current_setting('${name}') AS ${name}`)
  const { rows } = await client.query<Record<string, string>>(`SELECT ${columns.join(', ')}`)
  return limitNames.filter((name) => rows[0]?.[name] === '0')
}

/** A prepared statement's name belongs to a session, and a pooler changes the sessions of its connections. */
function dropStatementNames(client: ClientBase): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const withoutName = (first: unknown): unknown =>
    typeof first === 'object' && first !== null && 'name' in first ? { ...first, name: undefined } : first
  Object.assign(client, {
    query: (first: unknown, ...rest: unknown[]) => query(withoutName(first), ...rest),
  })
}
