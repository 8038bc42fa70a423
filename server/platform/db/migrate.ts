import type { ClientBase, Pool } from 'pg'
import { readSchema, schemaHash, type SchemaFile, type VenueSchema } from './schemaFiles.ts'

/** The database has another schema than this build, and is no earlier state of this build's. */
export class SchemaMismatchError extends Error {
  override readonly name = 'SchemaMismatchError'
}

/** Any fixed number: venues that start at the same time on one PostgreSQL database take turns. */
const schemaLockKey = 7_202_511

/** What a database has of the schema: the hashes of the baseline (number 0) and of the changes. */
type Applied = ReadonlyMap<number, { name: string; sha256: string }>
/** The baseline or a change. */
type Step = { number: number; name: string; sha256: string; files: readonly SchemaFile[] }

/**
 * Brings a database to the schema of this build: an empty one gets the baseline, and each one the changes that it does not
 * have yet, in order, each in its own transaction.
 * @throws SchemaMismatchError if it is of another build, or of a newer one
 */
export async function migrate(pool: Pool, schema: VenueSchema = readSchema()): Promise<void> {
  const steps = stepsOf(schema)
  const client = await pool.connect()
  try {
    if (missingOf(steps, await readApplied(client)).length === 0) return
    await client.query('SET statement_timeout = 0')
    await client.query('SET lock_timeout = 0')
    await client.query('SELECT pg_advisory_lock($1)', [schemaLockKey])
    await assertNotFormer(client)
    for (const step of missingOf(steps, await readApplied(client, 'owner'))) await apply(client, step)
  } finally {
    // Closing the connection releases the lock, rolls back a failed step and resets the settings.
    client.release(true)
  }
}

/**
 * Checks that the database has exactly this build's schema, without changing it.
 * @throws SchemaMismatchError
 */
export async function assertMigrated(pool: Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await assertNotFormer(client)
    const [missing] = missingOf(stepsOf(readSchema()), await readApplied(client))
    if (missing)
      throw new SchemaMismatchError(
        `The database lacks ${missing.name} of the schema: start the venue of this build once.`,
      )
  } finally {
    client.release()
  }
}

function stepsOf({ baseline, changes }: VenueSchema): Step[] {
  return [
    { number: 0, name: 'baseline', sha256: schemaHash(baseline), files: baseline },
    ...changes.map((change) => ({
      number: change.number,
      name: change.name,
      sha256: schemaHash([change]),
      files: [change],
    })),
  ]
}

async function apply(client: ClientBase, { number, name, sha256, files }: Step): Promise<void> {
  await client.query('BEGIN')
  for (const { sql } of files) await client.query(sql)
  await client.query('INSERT INTO schema_version (number, name, sha256) VALUES ($1, $2, $3)', [
    number,
    name,
    sha256,
  ])
  await client.query('COMMIT')
}

/**
 * Before anything that needs the owner, `anyone` may read: the venue's own login may start on a database that has all. To the
 * `owner` a table that cannot be read is an error, and not an empty database.
 */
async function readApplied(client: ClientBase, reader: 'anyone' | 'owner' = 'anyone'): Promise<Applied> {
  const found = await client.query<{ readable: boolean | null }>(
    `SELECT has_table_privilege(to_regclass('schema_version'), 'SELECT') AS readable`,
  )
  const readable = found.rows[0]?.readable ?? null
  if (readable === null || (!readable && reader === 'anyone')) return new Map()
  const { rows } = await client.query<{ number: number; name: string; sha256: string }>(
    'SELECT number, name, sha256 FROM schema_version',
  )
  return new Map(rows.map((row) => [row.number, row]))
}

const otherBuild =
  'The database was made by another build, with a schema that this one does not continue: ' +
  'start that build, or set an empty database (DATABASE_URL, or DATA_DIR of an embedded one).'

/** Builds before the baseline kept numbered migrations in a table of their own. */
async function assertNotFormer(client: ClientBase): Promise<void> {
  const { rowCount } = await client.query(`SELECT WHERE to_regclass('migration') IS NOT NULL`)
  if (rowCount === 1) throw new SchemaMismatchError(otherBuild)
}

/** The steps that a database does not have, in order. */
function missingOf(steps: readonly Step[], applied: Applied): Step[] {
  const stepOf = new Map(steps.map((step) => [step.number, step]))
  for (const [number, { name, sha256 }] of applied) {
    const step = stepOf.get(number)
    if (number === 0 && step?.sha256 !== sha256) throw new SchemaMismatchError(otherBuild)
    if (step === undefined)
      throw new SchemaMismatchError(
        `The database has ${name} of a newer schema, which this build does not know: start a newer build.`,
      )
    if (step.sha256 !== sha256)
      throw new SchemaMismatchError(`${step.name} of the schema was edited after it was applied.`)
  }
  return steps.filter(({ number }) => !applied.has(number))
}
