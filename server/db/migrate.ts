import { createHash } from 'node:crypto'
import type { ClientBase, Pool } from 'pg'
import { migrations as venueMigrations } from './migrations/index.ts'
import type { Migration } from './migrations/migration.ts'

/** The database has a migration that this build does not have, or has with other SQL. */
export class MigrationMismatchError extends Error {
  override readonly name = 'MigrationMismatchError'
}

/** Any fixed number: venues that start at the same time on one PostgreSQL database take turns. */
const migrationLockKey = 7_202_511

/** SHA-256 of a migration's SQL, hex, as stored in the `migration` table. */
export function migrationHash(step: Migration): string {
  return createHash('sha256').update(step.sql).digest('hex')
}

/**
 * Applies the migrations that this database does not have yet, in order, each in its own transaction.
 * @throws MigrationMismatchError if an applied migration was edited, or comes from a newer build
 */
export async function migrate(pool: Pool, steps: readonly Migration[] = venueMigrations): Promise<void> {
  assertOrdered(steps)
  const client = await pool.connect()
  try {
    if (await hasAll(client, steps)) return
    await client.query('SET statement_timeout = 0')
    await client.query('SET lock_timeout = 0')
    await client.query('SELECT pg_advisory_lock($1)', [migrationLockKey])
    await client.query(`CREATE TABLE IF NOT EXISTS migration (
      id integer PRIMARY KEY, name text NOT NULL, sha256 text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now())`)
    const applied = await readApplied(client)
    assertUnchanged(steps, applied)
    for (const step of steps) {
      if (applied.has(step.id)) continue
      await client.query('BEGIN')
      await client.query(step.sql)
      await client.query('INSERT INTO migration (id, name, sha256) VALUES ($1, $2, $3)', [
        step.id,
        step.name,
        migrationHash(step),
      ])
      await client.query('COMMIT')
    }
  } finally {
    // Closing the connection releases the lock, rolls back a failed step and resets the settings.
    client.release(true)
  }
}

/**
 * Checks that the database has exactly this build's migrations, without applying any.
 * @throws MigrationMismatchError
 */
export async function assertMigrated(pool: Pool): Promise<void> {
  const applied = await readApplied(pool)
  assertUnchanged(venueMigrations, applied)
  const missing = venueMigrations.find(({ id }) => !applied.has(id))
  if (missing)
    throw new MigrationMismatchError(
      `The database lacks migration ${missing.id} (${missing.name}): start the venue of this build once.`,
    )
}

/** How many of this build's migrations a database does not have, as far as the login may read. */
export async function countMissing(pool: Pick<ClientBase, 'query'>): Promise<number> {
  const applied = (await canRead(pool)) ? await readApplied(pool) : new Map<number, string>()
  return venueMigrations.filter(({ id }) => !applied.has(id)).length
}

/** Without a lock, and before anything that needs the owner: the venue's own login may start on such a database. */
async function hasAll(client: ClientBase, steps: readonly Migration[]): Promise<boolean> {
  if (!(await canRead(client))) return false
  const applied = await readApplied(client)
  assertUnchanged(steps, applied)
  return steps.every(({ id }) => applied.has(id))
}

async function canRead(client: Pick<ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ readable: boolean | null }>(
    `SELECT has_table_privilege(to_regclass('migration'), 'SELECT') AS readable`,
  )
  return rows[0]?.readable === true
}

async function readApplied(client: Pick<ClientBase, 'query'>): Promise<ReadonlyMap<number, string>> {
  const { rows } = await client.query<{ id: number; sha256: string }>('SELECT id, sha256 FROM migration')
  return new Map(rows.map((row) => [row.id, row.sha256]))
}

function assertOrdered(steps: readonly Migration[]): void {
  steps.forEach((step, i) => {
    const before = steps[i - 1]
    if (before !== undefined && before.id >= step.id) {
      throw new MigrationMismatchError(`Migration ${step.id} (${step.name}) is listed after ${before.id}.`)
    }
  })
}

function assertUnchanged(steps: readonly Migration[], applied: ReadonlyMap<number, string>): void {
  const stepOf = new Map(steps.map((step) => [step.id, step]))
  for (const [id, sha256] of applied) {
    const step = stepOf.get(id)
    if (step === undefined) {
      throw new MigrationMismatchError(`The database has migration ${id}, which this build does not know.`)
    }
    if (migrationHash(step) !== sha256 && step.formerly !== sha256) {
      throw new MigrationMismatchError(`Migration ${id} (${step.name}) was edited after it was applied.`)
    }
  }
}
