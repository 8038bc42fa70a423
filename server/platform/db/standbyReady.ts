import type { Client, QueryResult } from 'pg'

/** Any fixed number below 2^32 other than that of the lease's lock. */
const readyKey = 7_202_513

/**
 * A standby's sign that it could lead at once: a lock that any number of standbys share, on the connection that waits
 * for the lease, so that it ends with its holder.
 */
export class StandbySign {
  readonly #client: Client
  #isShown = false

  constructor(client: Client) {
    this.#client = client
  }

  async show(isReady: boolean): Promise<void> {
    if (isReady === this.#isShown) return
    const call = isReady ? 'pg_try_advisory_lock_shared' : 'pg_advisory_unlock_shared'
    await this.#client.query(`SELECT ${call}($1)`, [readyKey])
    this.#isShown = isReady
  }
}

type Query = (text: string, values: unknown[]) => Promise<QueryResult>

/** Whether any standby of this database shows its sign. */
export async function isStandbyReady(query: Query): Promise<boolean> {
  const { rows } = await query(
    `SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = 0 AND objid = $1 AND objsubid = 1
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [readyKey],
  )
  return rows.length > 0
}
