import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import type { Pool } from 'pg'
import { openPool, postgresPoolConfig } from '../../../../server/platform/db/database.ts'
import { faultProxy, type FaultProxy } from '../../../support/faultProxy.ts'
import { withPostgres } from '../../../support/postgres.ts'

const postgres = await withPostgres('lost_server')

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A pool whose server a test can silence as if its machine were gone; its checks come when the test moves the time. */
async function openThroughProxy(): Promise<{ pool: Pool; proxy: FaultProxy; replaceMachine: () => void }> {
  const url = new URL(postgres.url())
  const proxy = await faultProxy(Number(url.port || 5432))
  url.port = String(proxy.port)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  const pool = openPool(postgresPoolConfig(url.href, 'lost server', 4), () => undefined)
  onTestFinished(async () => {
    await pool.end()
    await proxy.close()
  })
  return {
    pool,
    proxy,
    replaceMachine: () => proxy.moveTo(Number(new URL(postgres.url()).port || 5432)),
  }
}

/** Moves the time until the promise fails, each second once. */
async function failure(promise: Promise<unknown>): Promise<unknown> {
  const state: { error: unknown } = { error: null }
  promise.catch((error: unknown) => (state.error = error))
  await expect
    .poll(() => {
      vi.advanceTimersByTime(1000)
      return state.error
    })
    .not.toBeNull()
  return state.error
}

postgres.describe('a server that is gone without a word, and another one at its address', () => {
  it('fails a statement that was sent in the second of the last answer, and works again', async () => {
    const { pool, proxy, replaceMachine } = await openThroughProxy()
    const client = await pool.connect()
    vi.advanceTimersByTime(1000)
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    proxy.stall()
    const unanswered = client.query('SELECT 1')
    await postgres.database().pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
    replaceMachine()
    expect(await failure(unanswered)).toBeInstanceOf(Error)
    client.release(true)
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  it('fails a statement whose session had the number that one at the other machine has', async () => {
    const { pool, proxy, replaceMachine } = await openThroughProxy()
    const client = await pool.connect()
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    proxy.stall()
    const unanswered = client.query('SELECT 1')
    await postgres.database().pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
    replaceMachine()
    // It was opened a minute before the one that has its number now.
    const now = process.uptime.bind(process)
    vi.spyOn(process, 'uptime').mockImplementation(() => now() + 60)
    const other = await pool.connect()
    Reflect.set(client, 'processID', Reflect.get(other, 'processID'))
    expect(await failure(unanswered)).toBeInstanceOf(Error)
    expect((await other.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    client.release(true)
    other.release()
  })

  it('leaves all sessions alone that are younger by as much: the clock of the server was set back', async () => {
    const { pool } = await openThroughProxy()
    const others = [await pool.connect(), await pool.connect()]
    const now = process.uptime.bind(process)
    vi.spyOn(process, 'uptime').mockImplementation(() => now() + 60)
    const holder = await postgres.database().pool.connect()
    await holder.query('SELECT pg_advisory_lock(79)')
    const waiting = others[0]?.query('SELECT pg_advisory_lock(79)')
    for (let second = 0; second < 30; second += 1) {
      vi.advanceTimersByTime(1000)
      await holder.query('SELECT 1')
    }
    await holder.query('SELECT pg_advisory_unlock(79)')
    holder.release()
    expect((await waiting)?.rows).toHaveLength(1)
    for (const client of others) client.release()
  })

  it('ends a connection that was being opened when it went', async () => {
    const { pool, proxy, replaceMachine } = await openThroughProxy()
    proxy.stall()
    const connecting = pool.connect()
    await expect.poll(() => proxy.connections()).toBe(1)
    replaceMachine()
    expect(await failure(connecting)).toBeInstanceOf(Error)
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  it('leaves a statement alone that takes long', async () => {
    const { pool } = await openThroughProxy()
    // Open before the time moves: a connection that is being opened for so long would rightly be ended.
    const client = await pool.connect()
    const holder = await postgres.database().pool.connect()
    await holder.query('SELECT pg_advisory_lock(78)')
    const waiting = client.query('SELECT pg_advisory_lock(78)')
    for (let second = 0; second < 30; second += 1) {
      vi.advanceTimersByTime(1000)
      await holder.query('SELECT 1')
    }
    await holder.query('SELECT pg_advisory_unlock(78)')
    holder.release()
    expect((await waiting).rows).toHaveLength(1)
    client.release()
  })
})
