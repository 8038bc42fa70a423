import { and, desc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { Confirmed, Declined, Proposal } from '../../../contract/office/fourEyes.ts'
import type { Db } from '../../platform/db/database.ts'
import { proposal } from '../schema.ts'

type Asked = Pick<Proposal, 'act' | 'subject'>

/** Proposals of this act, about this subject. */
export const isOf = ({ act, subject }: Asked): SQL | undefined =>
  and(eq(proposal.act, act), eq(proposal.subjectKind, subject.kind), eq(proposal.subjectId, subject.id))

/** For each, how others declined the same since it was last confirmed, newest first. */
export async function readDeclined(db: Db, asked: readonly Asked[]): Promise<Declined[][]> {
  if (asked.length === 0) return []
  const ids = asked.map(({ subject }) => subject.id)
  const isLater = sql`NOT EXISTS (SELECT FROM ${proposal} c WHERE c.status = 'confirmed' AND c.act = ${proposal.act}
    AND c.subject_kind = ${proposal.subjectKind} AND c.subject_id = ${proposal.subjectId}
    AND c.decided_at > ${proposal.decidedAt})`
  const rows = await db
    .select()
    .from(proposal)
    .where(and(inArray(proposal.subjectId, ids), eq(proposal.status, 'declined'), isLater))
    .orderBy(desc(proposal.decidedAt))
  return asked.map(({ act, subject }) =>
    rows
      .filter((row) => row.act === act && row.subjectKind === subject.kind && row.subjectId === subject.id)
      .map(({ proposedBy, decidedBy, decidedAt, reason }) => ({ proposedBy, decidedBy, decidedAt, reason })),
  )
}

/** Who proposed what another person confirmed last; null if nobody did. */
export async function readConfirmed(db: Db, asked: Asked): Promise<Confirmed | null> {
  const [row] = await db
    .select({ proposedBy: proposal.proposedBy, proposedAt: proposal.proposedAt })
    .from(proposal)
    .where(and(isOf(asked), eq(proposal.status, 'confirmed')))
    .orderBy(desc(proposal.decidedAt))
    .limit(1)
  return row ?? null
}
