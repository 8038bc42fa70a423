import type { Socket } from 'node:net'
import { Client } from 'pg'
import type { Pool, PoolClient } from 'pg'

/** A connection that has waited so long for an answer may be one to a machine that is gone. */
const silentMs = 5000
const checkEveryMs = 1000
const probeTimeoutMs = 5000

type Watched = { client: PoolClient; bytesRead: number; bytesWritten: number; waitsSince: number | null }

/**
 * Closes the connections of a pool to a server that is gone without a word, as after a loss of power, once another one
 * answers at its address: TCP alone takes a quarter of an hour to notice. A new connection asks which sessions there are,
 * so that a statement which takes long is left alone.
 */
export function watchForLostServer(pool: Pool): void {
  const watched = new Map<PoolClient, Watched>()
  pool.on('connect', (client) =>
    watched.set(client, { client, bytesRead: 0, bytesWritten: 0, waitsSince: null }),
  )
  pool.on('remove', (client) => void watched.delete(client))
  let isProbing = false
  const timer = setInterval(() => {
    if (pool.ending) return clearInterval(timer)
    askIdle(pool)
    const now = performance.now()
    const isSilent = [...watched.values()].filter((each) => waitsFor(each, now) >= silentMs).length > 0
    if (!isSilent || isProbing) return
    isProbing = true
    closeLost(pool, [...watched.keys()])
      // Nothing answers at the address: there is nothing better to connect to.
      .catch(() => undefined)
      .finally(() => (isProbing = false))
  }, checkEveryMs)
  timer.unref()
}

/** A pool that keeps connections open without work may not find out later, when it has work, that they are dead. */
function askIdle(pool: Pool): void {
  const keepsIdle = (pool.options.min ?? 0) > 0
  if (keepsIdle && pool.idleCount > 0 && pool.idleCount === pool.totalCount)
    pool.query('SELECT 1').catch(() => undefined)
}

/** @returns for how long this connection has sent something and received nothing, ms */
function waitsFor(watched: Watched, now: number): number {
  const { bytesRead, bytesWritten } = socketOf(watched.client)
  if (bytesRead !== watched.bytesRead) watched.waitsSince = null
  else if (bytesWritten !== watched.bytesWritten) watched.waitsSince ??= now
  Object.assign(watched, { bytesRead, bytesWritten })
  return watched.waitsSince === null ? 0 : now - watched.waitsSince
}

async function closeLost(pool: Pool, clients: readonly PoolClient[]): Promise<void> {
  const probe = new Client({
    ...pool.options,
    connectionTimeoutMillis: probeTimeoutMs,
    query_timeout: probeTimeoutMs,
  })
  probe.on('error', () => undefined)
  try {
    await probe.connect()
    const { rows } = await probe.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE application_name = current_setting('application_name')`,
    )
    const alive = new Set(rows.map(({ pid }) => pid))
    for (const client of clients) if (!alive.has(pidOf(client))) socketOf(client).destroy()
  } finally {
    await probe.end()
  }
}

/** What a client of `pg` has besides its types: its socket, and the process that serves it. */
type ClientParts = { connection: { stream: Socket }; processID: number }
const socketOf = (client: PoolClient): Socket => (client as unknown as ClientParts).connection.stream
const pidOf = (client: PoolClient): number => (client as unknown as ClientParts).processID
