import type { Database } from '../../server/platform/db/database.ts'

/** The sum of all postings, which is always 0. */
export async function ledgerSum(database: Database): Promise<number> {
  const { rows } = await database.pool.query<{ sum: number }>(
    `SELECT coalesce(sum(available + held + stakes + fund + house + grants + external), 0)::bigint AS sum FROM posting`,
  )
  return rows[0]!.sum
}
