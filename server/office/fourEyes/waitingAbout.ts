import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { accountActs, type WaitingAct } from '../../../contract/office/fourEyes.ts'
import type { Db } from '../../platform/db/database.ts'
import { proposal } from '../schema.ts'

/** What is proposed about a member's account and waits for another person, the oldest first. */
export async function readWaitingAbout(db: Db, memberId: string, now: number): Promise<WaitingAct[]> {
  const { id, act, proposedBy, proposedAt, expiresAt } = proposal
  const rows = await db
    .select({ id, act, proposedBy, proposedAt, expiresAt })
    .from(proposal)
    .where(
      and(
        eq(proposal.memberId, memberId),
        inArray(act, [...accountActs]),
        eq(proposal.status, 'open'),
        gt(expiresAt, now),
      ),
    )
    .orderBy(asc(proposedAt), asc(id))
  return rows
}
