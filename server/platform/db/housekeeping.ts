import type { Pool } from 'pg'
import { minuteMs } from '../../../contract/time.ts'
import { runJobs } from '../jobs.ts'
import type { Clock } from '../ports.ts'

/** A checkpoint is due after this much log since the last one; keeps the folder's log under 16 MB. */
const checkpointBytes = 4 * 1024 * 1024
const checkpointEveryMs = 5_000
const vacuumEveryMs = 5 * minuteMs

/**
 * Makes a checkpoint if the log has grown enough. Without this the log grows without limit: the embedded database is
 * single-user PostgreSQL, which has no checkpointer.
 * @returns whether a checkpoint was made
 */
export async function checkpointIfDue(pool: Pool, aboveBytes = checkpointBytes): Promise<boolean> {
  const { rows } = await pool.query<{ bytes: number }>(
    'SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 AS bytes FROM pg_control_checkpoint()',
  )
  if ((rows[0]?.bytes ?? 0) < aboveBytes) return false
  await pool.query('CHECKPOINT')
  return true
}

/**
 * Vacuums and analyses the tables that changed enough, by the defaults of PostgreSQL's autovacuum, which single-user
 * PostgreSQL does not have. Other queries can run between two tables.
 * @returns the tables' names
 */
export async function vacuumDueTables(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(`
    SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables
    WHERE n_dead_tup > 50 + 0.2 * n_live_tup
       OR n_mod_since_analyze > 50 + 0.1 * n_live_tup
       OR n_ins_since_vacuum > 1000 + 0.2 * n_live_tup
    ORDER BY relname`)
  for (const { name } of rows) await pool.query(`VACUUM (ANALYZE) ${name}`)
  return rows.map((row) => row.name)
}

/**
 * Does for the embedded database what PostgreSQL's background processes do. A failure is reported, and the next run
 * tries again.
 * @returns stops it and waits for the work in progress
 */
export function startHousekeeping(
  pool: Pool,
  clock: Clock,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const jobs = [
    { name: 'checkpoint', everyMs: checkpointEveryMs, run: () => checkpointIfDue(pool) },
    { name: 'vacuum', everyMs: vacuumEveryMs, run: () => vacuumDueTables(pool) },
  ]
  return runJobs(clock, jobs, (_message, error) => onError(error))
}
