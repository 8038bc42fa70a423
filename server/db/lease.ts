import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import type { QueryResult, QueryResultRow } from 'pg'
import { postgresPoolConfig } from './database.ts'
import type { Database } from './database.ts'
import { pgCode } from './errors.ts'
import { createFence, LeaseLostError } from './fence.ts'
import type { Fence } from './fence.ts'

/** A living venue leads this database. The message is one line that names it. */
export class LeaseHeldError extends Error {
  override readonly name = 'LeaseHeldError'
}

/** The right to be the one writer of a database: taken before the migrations run, begun after them. */
export type Lease = {
  /**
   * Begins this leader's term: whatever still names an earlier one fails from here on.
   * @param address where this leader can be reached, `host:port`
   */
  begin(address: string): Promise<Fence>
  /** Call when nothing is written any more: the next start has the lease at once. */
  release(): Promise<void>
}

type OnLost = (error: LeaseLostError) => void
type Query = <R extends QueryResultRow>(text: string, values?: unknown[]) => Promise<QueryResult<R>>

/** Any fixed number, below 2^32. */
const lockKey = 7_202_512
const heartbeatIntervalMs = 500
/** A beat unanswered for so many turns, 10 s of this process's own time: the connection is cut off. */
const missedHeartbeatsMax = 20
const pollMs = 100
/** A holder that neither flushed nor beat for this long is frozen or cut off. */
const frozenMs = 5000
/** A holder that makes its first tables cannot beat: it is waited for this long, and never ended. */
const firstStartMs = 30_000

/**
 * Takes the lease: with PostgreSQL a lock held by a connection of its own; the embedded database is locked with its
 * folder. The lock of a killed holder is free at once; one that is frozen or cut off has its sessions ended after 5 s.
 * @param onLost called once when the lease is lost: the process must end at once
 * @throws LeaseHeldError as soon as the holder shows that it lives, at most about a second
 */
export async function acquireLease(
  database: Database,
  databaseUrl: string | null,
  onLost: OnLost,
): Promise<Lease> {
  if (databaseUrl === null) {
    return {
      begin: (address) =>
        beginTerm(database, (text, values) => database.pool.query(text, values), address, onLost),
      release: async () => undefined,
    }
  }
  const client = new Client(postgresPoolConfig(databaseUrl, database.sessionName))
  let released = false
  let lost = false
  const declareLost = (why: string): void => {
    if (released || lost) return
    lost = true
    onLost(new LeaseLostError(why))
  }
  client.on('error', () => undefined)
  client.on('end', () => declareLost('the database connection that holds the lease ended'))
  await client.connect()
  const query = oneAtATime(client)
  let stopHeartbeat = (): void => undefined
  try {
    await acquireLock(client)
    stopHeartbeat = startHeartbeat(query, () =>
      declareLost('the database connection that holds the lease does not answer'),
    )
  } catch (error) {
    released = true
    await client.end()
    throw error
  }
  return {
    begin: (address) => beginTerm(database, query, address, onLost),
    release: async () => {
      released = true
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

/** The term begins while the connection beats, and a client of pg is to be given one statement at a time. */
function oneAtATime(client: Client): Query {
  let last: Promise<unknown> = Promise.resolve()
  return (text, values) => {
    const answer = last.then(() => client.query(text, values))
    last = answer.catch(() => undefined)
    return answer
  }
}

/** Shows that this process lives, also before its first flush. Counted in turns: a paused process is not cut off. */
function startHeartbeat(query: Query, onSilent: () => void): () => void {
  let unanswered = 0
  const answered = (): void => void (unanswered = 0)
  const timer = setInterval(() => {
    unanswered += 1
    if (unanswered > missedHeartbeatsMax) onSilent()
    // One at a time. An error is an answer too: the table may not be there yet.
    else if (unanswered === 1) query("SELECT nextval('lease_beat')").then(answered, answered)
  }, heartbeatIntervalMs)
  timer.unref()
  return () => clearInterval(timer)
}

async function acquireLock(client: Client): Promise<void> {
  let seen: HolderActivity | null = null
  let since = performance.now()
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      lockKey,
    ])
    if (rows[0]?.taken === true) return
    const activity = await readActivity(client)
    const same = seen !== null && activity.name === seen.name
    if (same && activity.mark !== seen?.mark && seen?.mark !== null)
      throw await toLeaseHeldError(client, activity)
    if (!same || activity.mark !== seen?.mark) since = performance.now()
    seen = activity
    const silentMs = performance.now() - since
    if (activity.mark === null && silentMs > firstStartMs) throw await toLeaseHeldError(client, activity)
    if (activity.mark !== null && silentMs > frozenMs) {
      await endSessions(client, activity)
      since = performance.now()
    }
    await wait(pollMs)
  }
}

/** Who holds the lock, by the name of its sessions, and what changes at least once a second while it lives. */
type HolderActivity = { name: string; mark: string | null }

async function readActivity(client: Client): Promise<HolderActivity> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = $1 AND l.objsubid = 1
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [lockKey],
  )
  return { name: rows[0]?.name ?? '', mark: await readActivityMark(client) }
}

const undefinedTableCode = '42P01'

async function readActivityMark(client: Client): Promise<string | null> {
  try {
    const { rows } = await client.query<{ flush: number | null; beat: number }>(
      'SELECT (SELECT max(id) FROM tick_batch) AS flush, last_value AS beat FROM lease_beat',
    )
    return `${rows[0]?.flush} ${rows[0]?.beat}`
  } catch (error) {
    if (pgCode(error) === undefinedTableCode) return null
    throw error
  }
}

/** Who leads, as the lease's row tells it. */
type Holder = { id: string; host: string; pid: number; since: string }

async function toLeaseHeldError(client: Client, { name, mark }: HolderActivity): Promise<LeaseHeldError> {
  const advice = 'stop it first, or give this one a database of its own'
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

/** Ends every session of a holder that shows no life; its open transactions are rolled back. */
async function endSessions(client: Client, activity: HolderActivity): Promise<void> {
  if (activity.name === '') return
  try {
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = $1 AND pid <> pg_backend_pid()`,
      [activity.name],
    )
  } catch (error) {
    if (pgCode(error) !== '42501') throw error
    const { message } = await toLeaseHeldError(client, activity)
    throw new LeaseHeldError(`${message} (it does not answer, and this role may not end its sessions)`)
  }
}
