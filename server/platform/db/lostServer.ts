import type { Socket } from 'node:net'
import { Client, type Pool, type PoolClient } from 'pg'

/** A connection that has waited so long for an answer may be one to a machine that no longer exists. */
const silentMs = 5000
const checkEveryMs = 1000
const probeTimeoutMs = 5000
/**
 * A statement may take long without sending anything: after an answer the server is not queried again for this time.
 */
const answeredForMs = 10_000

/** More than the clocks of two machines drift apart while a connection is open. */
const ageToleranceMs = 5000

/** Since when a connection has been asking, or connecting, without an answer; null if it is not. */
type Silence = { bytesRead: number; since: number | null }

/**
 * Closes the connections of a pool to a server that failed without closing them, as after a loss of power, once another
 * one answers at its address: TCP alone takes a quarter of an hour to notice. A new connection asks which sessions
 * there are, and since when, so that a statement which takes long is left alone: two machines number their sessions
 * alike.
 */
export function watchForLostServer(pool: Pool): void {
  const silences = new WeakMap<PoolClient, Silence>()
  const connectedAt = new WeakMap<PoolClient, number>()
  pool.on('connect', (client) => connectedAt.set(client, uptimeMs()))
  const ageOf = (client: PoolClient): number => uptimeMs() - (connectedAt.get(client) ?? uptimeMs())
  let isProbing = false
  let answeredAt = Number.NEGATIVE_INFINITY
  const timer = setInterval(() => {
    if (pool.ending) return clearInterval(timer)
    askIdle(pool)
    const now = performance.now()
    for (const client of clientsOf(pool)) silences.set(client, silenceOf(client, silences.get(client), now))
    const isSilent = (client: PoolClient): boolean => now - (silences.get(client)?.since ?? now) >= silentMs
    if (!clientsOf(pool).some(isSilent) || isProbing || now - answeredAt < answeredForMs) return
    isProbing = true
    const judged = clientsOf(pool).filter((client) => pidOf(client) !== null || isSilent(client))
    closeLost(pool, judged, ageOf)
      .then(() => (answeredAt = performance.now()))
      // Nothing answers at the address: there is nothing better to connect to.
      .catch(() => undefined)
      .finally(() => (isProbing = false))
  }, checkEveryMs)
  timer.unref()
}

function silenceOf(client: PoolClient, last: Silence | undefined, now: number): Silence {
  const { connection, readyForQuery } = partsOf(client)
  const { bytesRead } = connection.stream
  if (readyForQuery) return { bytesRead, since: null }
  return { bytesRead, since: bytesRead === last?.bytesRead ? (last.since ?? now) : now }
}

/** A pool that keeps connections open without work must not discover only when it has work that they are closed. */
function askIdle(pool: Pool): void {
  const keepsIdle = (pool.options.min ?? 0) > 0
  if (keepsIdle && pool.idleCount > 0 && pool.idleCount === pool.totalCount)
    pool.query('SELECT 1').catch(() => undefined)
}

async function closeLost(
  pool: Pool,
  clients: readonly PoolClient[],
  ageOf: (client: PoolClient) => number,
): Promise<void> {
  const probe = new Client({
    ...pool.options,
    connectionTimeoutMillis: probeTimeoutMs,
    query_timeout: probeTimeoutMs,
  })
  probe.on('error', () => undefined)
  try {
    await probe.connect()
    const sessions = clients.map((client) => ({ client, pid: pidOf(client), ageMs: ageOf(client) }))
    const { rows } = await probe.query<{ pid: number; age: number }>(
      `SELECT pid, (extract(epoch FROM clock_timestamp() - backend_start) * 1000)::float8 AS age
       FROM pg_stat_activity WHERE application_name = current_setting('application_name')`,
    )
    const ages = new Map(rows.map(({ pid, age }) => [pid, age]))
    const lacks = sessions.map(({ client, pid, ageMs }) => {
      const age = pid === null ? undefined : ages.get(pid)
      return { client, ms: age === undefined ? null : ageMs - age }
    })
    const found = lacks.flatMap(({ ms }) => ms ?? [])
    // All of them lack the time by which the server's clock was set back, or its machine stood still.
    const clockStepMs = found.length > 1 ? Math.min(...found) : 0
    for (const { client, ms } of lacks)
      if (ms === null || ms - clockStepMs > ageToleranceMs) partsOf(client).connection.stream.destroy()
  } finally {
    await probe.end()
  }
}

/** What a client of `pg` has besides its types: its socket, whether it waits for nothing, and the process that serves it. */
type ClientParts = { connection: { stream: Socket }; readyForQuery: boolean | null; processID: number | null }
const partsOf = (client: PoolClient): ClientParts => client as unknown as ClientParts
/** Without the steps of a system's clock. */
const uptimeMs = (): number => process.uptime() * 1000
/** Null while it is connecting. */
const pidOf = (client: PoolClient): number | null => partsOf(client).processID
/** With those that are connecting. */
const clientsOf = (pool: Pool): PoolClient[] => (pool as unknown as { _clients: PoolClient[] })._clients
