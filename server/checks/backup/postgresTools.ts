import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { Client } from 'pg'
import { timeLimits, withRole, type Database } from '../../platform/db/database.ts'
import { pgCode } from '../../platform/db/errors.ts'
import { dayMs } from '../../../contract/time.ts'
import { openPostgresDatabase } from '../../platform/db/open.ts'
import { BackupError } from './backupError.ts'
import type { PlatformSettings } from '../../platform/settings.ts'

/** Passes on a consistent snapshot of a database in pg_dump's custom format, while venues run on it. */
export async function dumpPostgres(
  databaseUrl: string,
  write: (dump: Readable) => Promise<void>,
): Promise<void> {
  await runTool('pg_dump', databaseUrl, ['--format=custom', '--no-owner', '--no-privileges'], write)
}

/**
 * pg_dump reads every table and sequence as the login itself.
 * @throws BackupError if the login of an address may not
 */
export async function assertDumpable(
  { pool }: Pick<Database, 'pool'>,
  { databaseOwnerUrl }: Pick<PlatformSettings, 'databaseOwnerUrl'>,
): Promise<void> {
  const { rows } = await pool.query<{ login: string; name: string }>(
    `SELECT session_user AS login, c.relname AS name
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'S') AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
       AND NOT (has_schema_privilege(session_user, n.oid, 'USAGE') AND has_table_privilege(session_user, c.oid, 'SELECT'))
     ORDER BY c.relname LIMIT 1`,
  )
  const [refused] = rows
  if (!refused) return
  throw new BackupError(
    databaseOwnerUrl === null
      ? `a backup needs DATABASE_OWNER_URL: ${refused.login}, the login of DATABASE_URL, may not read ${refused.name}`
      : `DATABASE_OWNER_URL: ${refused.login} may not read ${refused.name}: it must own the tables`,
  )
}

/** Restores such a snapshot into an empty database: all of it, or nothing. */
export async function restorePostgres(databaseUrl: string, file: string): Promise<void> {
  await runTool('pg_restore', databaseUrl, [
    '--no-owner',
    '--no-privileges',
    '--exit-on-error',
    '--single-transaction',
    file,
  ])
}

/** Opens a database for statements that may take as long as they need. */
export function openForCommand(url: string): Promise<Database> {
  const address = new URL(url)
  address.searchParams.set('statement_timeout', String(dayMs))
  return openPostgresDatabase({ databaseUrl: address.href })
}

/** Runs `work` on a new database beside the given one, and drops it. */
export async function withScratchDatabase<T>(
  databaseUrl: string,
  name: string,
  work: (url: string) => Promise<T>,
): Promise<T> {
  await execute(databaseUrl, `CREATE DATABASE "${name}"`)
  try {
    return await work(Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href)
  } finally {
    await execute(databaseUrl, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`)
  }
}

async function execute(databaseUrl: string, statement: string): Promise<void> {
  const client = new Client(withRole({ connectionString: databaseUrl }, null))
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(statement)
  } catch (error) {
    throw new BackupError(`PostgreSQL refuses "${statement}" (${pgCode(error) ?? 'unknown'})`)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The password is passed in the environment: everyone on the machine can read a command line. */
async function runTool(
  tool: string,
  databaseUrl: string,
  args: readonly string[],
  write?: (output: Readable) => Promise<void>,
): Promise<void> {
  const url = new URL(databaseUrl)
  const password = decodeURIComponent(url.password)
  url.password = ''
  // Settings of the venue's driver that libpq does not support.
  for (const name of Object.keys(timeLimits)) url.searchParams.delete(name)
  // As the login itself, whatever role its sessions begin with.
  const PGOPTIONS = [process.env['PGOPTIONS'] ?? '', '-c role=none'].join(' ')
  const env = { ...process.env, PGOPTIONS, ...(password !== '' && { PGPASSWORD: password }) }
  const child = spawn(tool, [`--dbname=${url.href}`, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<void>((resolve, reject) => {
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
    child.on('error', () =>
      reject(
        new BackupError(`${tool} is missing: install PostgreSQL's client tools, not older than its server`),
      ),
    )
    child.on('close', (code) => {
      if (code === 0) return resolve()
      const [line = ''] = errors.split('\n')
      reject(new BackupError(line === '' ? `${tool} failed (${String(code)})` : line))
    })
  })
  if (write === undefined) child.stdout.resume()
  const written = write?.(child.stdout).catch((error: unknown) => {
    child.kill()
    throw error
  })
  const [run, stored] = await Promise.allSettled([ended, written])
  // Killed because it could not be written; else what the tool says is the cause.
  if (stored.status === 'rejected' && child.killed) throw stored.reason
  if (run.status === 'rejected') throw run.reason
}
