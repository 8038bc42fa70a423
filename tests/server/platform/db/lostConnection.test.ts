import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { openPool, postgresPoolConfig } from '../../../../server/platform/db/database.ts'
import { pgCode } from '../../../../server/platform/db/errors.ts'
import { openPostgresDatabase } from '../../../../server/platform/db/open.ts'
import { withPostgres } from '../../../support/postgres.ts'

const postgres = await withPostgres('lost_connection')

postgres.describe('a connection to PostgreSQL that ends', () => {
  // An error event without a listener would end the process; Vitest reports it as an unhandled error.
  it('fails the transaction that uses it, also the first one of the pool, and nothing else', async () => {
    const url = postgres.url()
    const database = await openPostgresDatabase({ databaseUrl: url })
    const transaction = database.db.transaction(async (tx) => {
      const { rows } = await tx.execute<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`)
      await postgres.database().db.execute(sql`SELECT pg_terminate_backend(${rows[0]?.pid}::int)`)
      await tx.execute(sql`SELECT 1`)
    })
    await expect(transaction).rejects.toThrow()
    expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    await database.close()
  })

  it('is reported while it has no query, and the pool replaces it', async () => {
    const reported: unknown[] = []
    const pool = openPool(postgresPoolConfig(postgres.url(), 'lost connection', 1), (error) =>
      reported.push(error),
    )
    const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    await postgres.database().pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
    await expect.poll(() => reported.map(pgCode)).toEqual(['57P01'])
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    await pool.end()
  })
})
