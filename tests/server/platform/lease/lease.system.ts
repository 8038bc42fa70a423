import { Client } from 'pg'
import { afterEach, expect, it, vi } from 'vitest'
import { acquireLease, type Lease } from '../../../../server/platform/db/lease.ts'
import { withPostgres } from '../../../support/postgres.ts'

const postgres = await withPostgres('lease')
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

postgres.describe('the lease with PostgreSQL', () => {
  it('sends one statement at a time over its connection', async () => {
    const database = postgres.database()
    vi.useFakeTimers({ toFake: ['setInterval'] })
    const lost: unknown[] = []
    const lease = await acquireLease(database, (error) => lost.push(error))
    const locker = await database.pool.connect()
    try {
      await locker.query('BEGIN')
      await locker.query('SELECT * FROM lease FOR UPDATE')
      const statements = vi.spyOn(Client.prototype, 'query')
      const beginning = lease.begin('127.0.0.1:1')
      await expect.poll(() => statements.mock.calls).toHaveLength(1)
      vi.advanceTimersByTime(2000)
      expect(statements.mock.calls).toHaveLength(1)
      await locker.query('COMMIT')
      expect((await beginning).term).toBe(1)
      await expect
        .poll(() => statements.mock.calls.map(([text]) => text as unknown))
        .toContain("SELECT nextval('lease_beat')")
    } finally {
      locker.release(true)
      await lease.release()
    }
    expect(lost).toEqual([])
  })

  it('tries the lock often and asks rarely whose it is, and passes to a standby that waits', async () => {
    const database = postgres.database()
    const held = await acquireLease(database, () => undefined)
    const statements = vi.spyOn(Client.prototype, 'query')
    const count = (part: string): number =>
      statements.mock.calls.filter(([text]) => text.includes(part)).length
    const aborting = new AbortController()
    const startedAt = performance.now()
    const waiting = acquireLease(database, () => undefined, { signal: aborting.signal })
    await expect.poll(() => count('pg_try_advisory_lock')).toBeGreaterThan(20)
    expect(count('pg_locks')).toBeGreaterThan(0)
    expect(count('pg_locks')).toBeLessThanOrEqual(1 + (performance.now() - startedAt) / 500)
    await held.release()
    await (await waiting).release()
  })

  it('knows whether a standby could lead, until that one stops or leads itself', async () => {
    const database = postgres.database()
    const held = await acquireLease(database, () => undefined)
    const aborting = new AbortController()
    let isReady = false
    const standby = { signal: aborting.signal, isReady: () => isReady }
    const waiting = acquireLease(database, () => undefined, standby)
    await expect.poll(() => held.isStandbyReady()).toBe(false)
    isReady = true
    await expect.poll(() => held.isStandbyReady()).toBe(true)
    isReady = false
    await expect.poll(() => held.isStandbyReady()).toBe(false)
    isReady = true
    await expect.poll(() => held.isStandbyReady()).toBe(true)
    await held.release()
    const next = await waiting
    expect(await next.isStandbyReady()).toBe(false)
    const other = acquireLease(database, () => undefined, standby)
    await expect.poll(() => next.isStandbyReady()).toBe(true)
    aborting.abort()
    await expect(other).rejects.toThrow()
    await expect.poll(() => next.isStandbyReady()).toBe(false)
    await next.release()
  })

  it('passes to another standby rather than to one that yields, and to that one if there is no other', async () => {
    const database = postgres.database()
    const held = await acquireLease(database, () => undefined)
    const aborting = new AbortController()
    const taken: string[] = []
    const waitAs = async (name: string, yields: boolean): Promise<Lease> => {
      const standby = { signal: aborting.signal, yields: () => yields }
      const lease = await acquireLease(database, () => undefined, standby)
      taken.push(name)
      return lease
    }
    const yielding = waitAs('yields', true)
    const willing = waitAs('willing', false)
    await held.release()
    await (await willing).release()
    await (await yielding).release()
    expect(taken).toEqual(['willing', 'yields'])
  })

  it('passes to a standby whose own session ends while it waits, as when PostgreSQL restarts', async () => {
    const database = postgres.database()
    const lost: unknown[] = []
    await acquireLease(database, (error) => lost.push(error))
    const onRetry = vi.fn()
    const { signal } = new AbortController()
    const statements = vi.spyOn(Client.prototype, 'query')
    const waiting = acquireLease(database, () => undefined, { signal, onRetry })
    await expect
      .poll(() => statements.mock.calls.filter(([text]) => text.includes('pg_try_advisory_lock')).length)
      .toBeGreaterThan(0)
    const observer = new Client({ connectionString: postgres.url() })
    await observer.connect()
    const endSessions = (ofHolder: boolean) =>
      observer.query(
        `SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity a
         WHERE a.application_name = $1 AND a.datname = current_database() AND $2 =
           EXISTS (SELECT FROM pg_locks l WHERE l.pid = a.pid AND l.locktype = 'advisory' AND l.granted)`,
        [database.sessionName, ofHolder],
      )
    try {
      // First its own: it could take the lock between the ends of the two.
      await endSessions(false)
      await expect.poll(() => onRetry.mock.calls.length).toBeGreaterThan(0)
      await endSessions(true)
      await (await waiting).release()
    } finally {
      await observer.end()
    }
    await expect.poll(() => lost).toHaveLength(1)
  })

  it('ends the sessions of a holder that shows no activity, for a standby that waits', async () => {
    const database = postgres.database()
    const frozen = new Client({ connectionString: postgres.url(), application_name: 'uptick frozen' })
    const ended = new Promise<void>((resolve) => frozen.on('end', resolve))
    frozen.on('error', () => undefined)
    await frozen.connect()
    await frozen.query('SELECT pg_advisory_lock(7202512)')
    const aborting = new AbortController()
    const lease = await acquireLease(database, () => undefined, { signal: aborting.signal })
    await ended
    await lease.release()
  })
})
