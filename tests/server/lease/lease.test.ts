import { Client } from 'pg'
import { afterEach, expect, it, vi } from 'vitest'
import { acquireLease } from '../../../server/db/lease.ts'
import { withPostgres } from '../../support/postgres.ts'

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
})
