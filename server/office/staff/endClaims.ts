import { and, eq, gt } from 'drizzle-orm'
import type { DbTransaction } from '../../platform/db/database.ts'
import { queueClaim } from '../schema.ts'

/** Who has left works on nothing. The rows stay for the count of how long one held an item. */
export async function endClaimsOf(tx: DbTransaction, name: string, now: number): Promise<void> {
  await tx
    .update(queueClaim)
    .set({ untilAt: now })
    .where(and(eq(queueClaim.claimedBy, name), gt(queueClaim.untilAt, now)))
}
