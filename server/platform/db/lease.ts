import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { Client, type QueryResult, type QueryResultRow } from 'pg'
import { backoffMs } from '../../../contract/backoff.ts'
import { postgresPoolConfig, withRole, type Database } from './database.ts'
import type { PostgresAddress } from './address.ts'
import { pgCode } from './errors.ts'
import { createFence, LeaseLostError, type Fence } from './fence.ts'
import { connecting } from './operatorErrors.ts'
import { isStandbyReady, StandbySign } from './standbyReady.ts'

/** Another running venue leads this database. The message is one line that names it. */
export class LeaseHeldError extends Error {
  override readonly name = 'LeaseHeldError'
}

/** The right to be the only writer of a database: acquired before the schema is applied, its term starts after it. */
export type Lease = {
  /**
   * Starts this leader's term: statements with an earlier term fail from then on.
   * @param address where this leader can be reached, `host:port`
   */
  begin(address: string): Promise<Fence>
  /** Whether a standby waits that could lead at once. */
  isStandbyReady(): Promise<boolean>
  /** Call it after the last write: the next start gets the lease at once. */
  release(): Promise<void>
}

type OnLost = (error: LeaseLostError) => void
type Query = <R extends QueryResultRow>(text: string, values?: unknown[]) => Promise<QueryResult<R>>

/** Any fixed number, below 2^32. */
const lockKey = 7_202_512
const heartbeatIntervalMs = 500
/** After so many heartbeats without an answer, 10 s of this process's own time, the connection counts as lost. */
const missedHeartbeatsMax = 20
/** A standby then connects again: the server may have failed without a notice. A holder's heartbeat gives up before. */
const answerMs = (missedHeartbeatsMax + 4) * heartbeatIntervalMs
const pollMs = 100
/** A holder without a flush or a heartbeat for this long is frozen or disconnected. */
const frozenMs = 5000
/** A holder that creates the first tables cannot send heartbeats: the start waits this long, and never ends it. */
const firstStartMs = 30_000
/** A standby receives every flush of a leader, so two intervals without one are enough. */
const frozenLeaderMs = 2000
const standbyPollMs = 50
/** Other standbys try to take the lease more often by far. */
export const yieldMs = 3000
/** A standby looks up whose lock it is less often: the lookup reads the locks and sessions of all databases. */
const holderReadMs = 500
/** The pause of a standby before it connects again; it doubles up to the second. */
const reconnectMs = 50
const reconnectMaxMs = 1000

/** A node that waits until it can lead, however long another one does. */
export type Standby = {
  signal: AbortSignal
  /** Whether this node could serve the others if it led now. */
  isReady?: () => boolean
  /** Whether another standby should lead rather than this one: it takes a lease only if it stays free for some time. */
  yields?: () => boolean
  /** Called when the connection that waits has failed; another one is opened. */
  onRetry?: (error: unknown) => void
}

/**
 * Acquires the lease. With PostgreSQL it is a lock on a separate connection; the embedded database is locked with its
 * folder. The lock of a killed holder is free at once; a frozen or disconnected holder has its sessions ended after 5 s.
 * @param onLost called once when the lease is lost: the process must end at once
 * @param standby waits for the lease, also while the database is away; it replaces a frozen holder after 2 s
 * @throws LeaseHeldError as soon as the holder shows activity, after at most about a second; the signal's reason;
 *   SettingsError with one line if the database does not answer
 */
export async function acquireLease(database: Database, onLost: OnLost, standby?: Standby): Promise<Lease> {
  const { postgres } = database
  if (postgres === null) {
    return {
      begin: (address) =>
        beginTerm(database, (text, values) => database.owner.query(text, values), address, onLost),
      isStandbyReady: async () => false,
      release: async () => undefined,
    }
  }
  for (let failures = 1; ; failures += 1) {
    try {
      return await acquireOver(database, postgres, onLost, standby ?? null)
    } catch (error) {
      if (standby === undefined || standby.signal.aborted || error instanceof LeaseHeldError) throw error
      // The end of the connection, as when PostgreSQL restarts: this node holds nothing that it could have lost.
      standby.onRetry?.(error)
      await wait(backoffMs(failures, reconnectMs, reconnectMaxMs), undefined, { signal: standby.signal })
    }
  }
}

/** Acquires the lease over a connection of its own. */
async function acquireOver(
  database: Database,
  postgres: PostgresAddress,
  onLost: OnLost,
  standby: Standby | null,
): Promise<Lease> {
  const config = withRole(postgresPoolConfig(postgres.databaseUrl, database.sessionName), null)
  const client = new Client({ ...config, query_timeout: answerMs })
  let isHeld = false
  const declareLost = (reason: string): void => {
    if (!isHeld) return
    isHeld = false
    onLost(new LeaseLostError(reason))
  }
  client.on('error', () => undefined)
  client.on('end', () => declareLost('the database connection that holds the lease ended'))
  await connecting(postgres, () => client.connect())
  const query = oneAtATime(client)
  let stopHeartbeat = (): void => undefined
  try {
    await acquireLock(client, standby)
    isHeld = true
    stopHeartbeat = startHeartbeat(query, () =>
      declareLost('the database connection that holds the lease does not answer'),
    )
  } catch (error) {
    await client.end()
    throw error
  }
  return {
    begin: (address) => beginTerm(database, query, address, onLost),
    isStandbyReady: () => isStandbyReady(query),
    release: async () => {
      isHeld = false
      stopHeartbeat()
      await client.end()
    },
  }
}

async function beginTerm(
  { sessionName }: Database,
  query: Query,
  address: string,
  onLost: OnLost,
): Promise<Fence> {
  const holder: Holder = {
    id: sessionName,
    host: hostname(),
    pid: process.pid,
    since: new Date().toISOString(),
  }
  const { rows } = await query<{ term: number }>(
    'UPDATE lease SET term = term + 1, holder = $1, address = $2 RETURNING term',
    [JSON.stringify(holder), address],
  )
  const [row] = rows
  if (!row) throw new Error('the table lease has no row')
  return createFence(row.term, onLost)
}

/** The term starts while the heartbeat runs on the same connection, and a pg client takes one statement at a time. */
function oneAtATime(client: Client): Query {
  let last: Promise<unknown> = Promise.resolve()
  return (text, values) => {
    const answer = last.then(() => client.query(text, values))
    last = answer.catch(() => undefined)
    return answer
  }
}

/** Shows that this process is alive, even before its first flush. Counts intervals, so that a pause does not count. */
function startHeartbeat(query: Query, onSilent: () => void): () => void {
  let unanswered = 0
  const onAnswer = (): void => void (unanswered = 0)
  const timer = setInterval(() => {
    unanswered += 1
    if (unanswered > missedHeartbeatsMax) onSilent()
    // One at a time. An error is an answer too: the table may not be there yet.
    else if (unanswered === 1) query("SELECT nextval('lease_beat')").then(onAnswer, onAnswer)
  }, heartbeatIntervalMs)
  timer.unref()
  return () => clearInterval(timer)
}

async function acquireLock(client: Client, standby: Standby | null): Promise<void> {
  let lastMark: string | null = null
  let holder: string | null = null
  let holderReadAt = 0
  let unchangedSince = performance.now()
  const readAgainMs = standby === null ? pollMs : holderReadMs
  const sign = new StandbySign(client)
  let heldAt = performance.now()
  for (;;) {
    const mayTake = standby?.yields?.() !== true || performance.now() - heldAt >= yieldMs
    const { isTaken, mark } = await tryLock(client, mayTake)
    await sign.show(!isTaken && standby?.isReady?.() === true)
    if (isTaken) return
    standby?.signal.throwIfAborted()
    let isSameHolder = holder !== null
    const readHolderNow = async (): Promise<void> => {
      const name = await readHolder(client)
      isSameHolder = name === holder
      holder = name
      holderReadAt = performance.now()
      if (name !== '') heldAt = holderReadAt
    }
    if (holder === null || performance.now() - holderReadAt >= readAgainMs) await readHolderNow()
    const showsActivity = isSameHolder && mark !== lastMark && lastMark !== null
    if (standby === null && showsActivity) throw await toLeaseHeldError(client, holder, mark)
    if (!isSameHolder || mark !== lastMark) unchangedSince = performance.now()
    lastMark = mark
    const silentMs = (): number => performance.now() - unchangedSince
    if (mark === null && silentMs() > firstStartMs && standby === null)
      throw await toLeaseHeldError(client, holder, mark)
    if (mark !== null && silentMs() > (standby === null ? frozenMs : frozenLeaderMs)) {
      // Another standby may hold the lock by now.
      await readHolderNow()
      if (isSameHolder) await endSessions(client, holder, mark)
      unchangedSince = performance.now()
    }
    await wait(standby === null ? pollMs : standbyPollMs)
  }
}

/** A table is not there yet, or the venue's login, if it is not the owner's, has no rights on it yet. */
const beforeSchemaCodes: ReadonlySet<string | null> = new Set(['42P01', '42501'])

/**
 * Tries to take the lock, if it may, and reads a value that changes at least once a second while the holder is alive; null if the
 * holder is still creating the tables or their rights.
 */
async function tryLock(client: Client, mayTake: boolean): Promise<{ isTaken: boolean; mark: string | null }> {
  const take = mayTake ? 'pg_try_advisory_lock($1)' : '$1::bigint IS NULL'
  try {
    const { rows } = await client.query<{ taken: boolean; flush: number | null; beat: number }>(
      `SELECT ${take} AS taken, (SELECT max(id) FROM tick_batch) AS flush,
         (SELECT last_value FROM lease_beat) AS beat`,
      [lockKey],
    )
    const [row] = rows
    return { isTaken: row?.taken === true, mark: `${row?.flush} ${row?.beat}` }
  } catch (error) {
    if (!beforeSchemaCodes.has(pgCode(error))) throw error
    const text = `SELECT ${take} AS taken`
    const { rows } = await client.query<{ taken: boolean }>(text, [lockKey])
    return { isTaken: rows[0]?.taken === true, mark: null }
  }
}

/** The name of the lock holder's sessions; empty if the lock has just become free. */
async function readHolder(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = $1 AND l.objsubid = 1
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [lockKey],
  )
  return rows[0]?.name ?? ''
}

/** The leader, as stored in the lease's row. */
type Holder = { id: string; host: string; pid: number; since: string }

async function toLeaseHeldError(
  client: Client,
  name: string | null,
  mark: string | null,
): Promise<LeaseHeldError> {
  const advice = 'stop it first, or use another database'
  if (mark !== null) {
    const { rows } = await client.query<{ holder: Holder; address: string }>(
      'SELECT holder, address FROM lease',
    )
    const { holder, address } = rows[0] ?? {}
    if (holder?.id === name) {
      const { host, pid, since } = holder
      return new LeaseHeldError(
        `another venue runs on this database: process ${pid} on ${host} at ${address}, since ${since}: ${advice}`,
      )
    }
  }
  return new LeaseHeldError(`another venue is starting on this database: ${advice}`)
}

/** Ends every session of a holder without activity; its open transactions are rolled back. */
async function endSessions(client: Client, name: string | null, mark: string | null): Promise<void> {
  if (name === null || name === '') return
  try {
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = $1 AND pid <> pg_backend_pid()`,
      [name],
    )
  } catch (error) {
    if (pgCode(error) !== '42501') throw error
    const { message } = await toLeaseHeldError(client, name, mark)
    throw new LeaseHeldError(`${message} (it does not answer, and this role may not end its sessions)`)
  }
}
