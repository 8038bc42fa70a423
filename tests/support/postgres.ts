import { afterAll, beforeAll, describe } from 'vitest'
import type { Database } from '../../server/platform/db/database.ts'
import { openScratchPostgres, postgresUnavailableReason, type ScratchPostgres } from './scratchPostgres.ts'

/** A scratch PostgreSQL database of one test file. */
export type PostgresFixture = {
  readonly available: boolean
  /** `describe`, or `describe.skip` if no PostgreSQL answers. */
  readonly describe: typeof describe | typeof describe.skip
  /** The scratch database with the venue's tables; only inside tests and hooks. */
  readonly database: () => Database
  /** Its address, for a second process; only inside tests and hooks. */
  readonly url: () => string
}

/**
 * Finds PostgreSQL (see scratchPostgres.ts) and creates a database for this test file: made before its
 * tests, dropped after them. Await it at the file's top level. Without PostgreSQL the tests under `describe` are skipped
 * and one line says why. If `TEST_DATABASE_URL` is set, it must answer.
 */
export async function withPostgres(name: string): Promise<PostgresFixture> {
  const reason = await postgresUnavailableReason()
  if (reason !== null) {
    if (process.env['TEST_DATABASE_URL'] !== undefined) {
      throw new Error(`TEST_DATABASE_URL does not answer: ${reason}`)
    }
    console.warn(`PostgreSQL tests of ${name} are skipped: nothing usable at 127.0.0.1:5432 (${reason}).`)
    return { available: false, describe: describe.skip, database: missing, url: missing }
  }

  let scratch: ScratchPostgres | null = null
  beforeAll(async () => {
    scratch = await openScratchPostgres(name)
  })
  afterAll(async () => scratch?.drop())
  return {
    available: true,
    describe,
    database: () => scratch?.database ?? missing(),
    url: () => scratch?.url ?? missing(),
  }
}

/** How many statements of this database wait for a lock. */
export async function countLockWaits({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return (await pool.query(waiting)).rowCount ?? 0
}

function missing(): never {
  throw new Error('no scratch database')
}
