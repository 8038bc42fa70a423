import { createFence, type Fence } from '../../server/platform/db/fence.ts'
import type { Database } from '../../server/platform/db/open.ts'

/**
 * Begins a venue's term in practice mode, as a start does: from then on the database checks that results follow from the
 * tick log, and that money has a cause. A venue on it needs a market with a log.
 */
export async function leadDatabase({ pool }: Pick<Database, 'pool'>): Promise<Fence> {
  await pool.query(`INSERT INTO setting (key, value) VALUES ('mode', '"practice"') ON CONFLICT DO NOTHING`)
  const { rows } = await pool.query<{ term: number }>('UPDATE lease SET term = term + 1 RETURNING term')
  return createFence(rows[0]?.term ?? 0, (error) => {
    throw error
  })
}
