import type { Pool } from 'pg'

/** Log written since the last checkpoint above which the next one is made; keeps the folder's log under 16 MB. */
const checkpointBytes = 4 * 1024 * 1024
const checkpointEveryMs = 5_000
const vacuumEveryMs = 5 * 60_000

/**
 * Writes the log back when enough of it has gathered. Without this the log grows for ever: single-user PostgreSQL,
 * which the embedded database is, has no checkpointer.
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
 * Vacuums and analyses the tables that changed enough, by PostgreSQL's own rule of thumb: single-user PostgreSQL has
 * no autovacuum either. Other queries run between two tables.
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
 * Does for the embedded database what PostgreSQL's background processes do, until the returned function is called.
 * A failure is told and tried again at the next turn.
 */
export function startHousekeeping(pool: Pool, onError: (error: unknown) => void): () => void {
  const timers = [
    runEvery(checkpointEveryMs, () => checkpointIfDue(pool), onError),
    runEvery(vacuumEveryMs, () => vacuumDueTables(pool), onError),
  ]
  return () => timers.forEach(clearInterval)
}

/** Skips a turn while the one before still runs. */
function runEvery(
  ms: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): NodeJS.Timeout {
  let isBusy = false
  const turn = async (): Promise<void> => {
    if (isBusy) return
    isBusy = true
    try {
      await work()
    } catch (error) {
      onError(error)
    } finally {
      isBusy = false
    }
  }
  return setInterval(() => void turn(), ms).unref()
}
