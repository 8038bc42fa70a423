import { and, desc, eq, sql, type SQL } from 'drizzle-orm'
import type { Confirmed, Declined, Proposal } from '../../../contract/office/fourEyes.ts'
import { requestKinds } from '../../../contract/office/schema.ts'
import type { Db } from '../../platform/db/database.ts'
import { proposal } from '../schema.ts'

type Asked = Pick<Proposal, 'act' | 'subject'>

/** Proposals of this act, about this subject. */
export const isOf = ({ act, subject }: Asked): SQL | undefined =>
  and(eq(proposal.act, act), eq(proposal.subjectKind, subject.kind), eq(proposal.subjectId, subject.id))

/** Whether a proposal, by its table's name in a statement, was declined, and nobody has confirmed the same since. */
export const isDeclined = (which: SQL): SQL => sql`${which}.status = 'declined' AND NOT EXISTS (
  SELECT FROM proposal later WHERE later.status = 'confirmed' AND later.act = ${which}.act
    AND later.subject_kind = ${which}.subject_kind AND later.subject_id = ${which}.subject_id
    AND later.decided_at > ${which}.decided_at)`

/**
 * Whether a proposal, by its table's name in a statement, says something of an act about its subject. Of a request all that
 * was declined counts: who wanted to reject it tells as much as who would not approve it.
 */
export const concerns = (which: SQL, act: SQL): SQL =>
  sql`(${which}.act = ${act} OR ${which}.subject_kind = ANY(${sql.param(requestKinds)}))`

/** For each, how others declined the same, or of a request anything, since it was last confirmed; newest first. */
export async function readDeclined(db: Db, asked: readonly Asked[]): Promise<Declined[][]> {
  if (asked.length === 0) return []
  const column = (values: readonly string[]): SQL => sql`${sql.param(values)}::text[]`
  const acts = column(asked.map(({ act }) => act))
  const kinds = column(asked.map(({ subject }) => subject.kind))
  const ids = column(asked.map(({ subject }) => subject.id))
  const { act, proposedBy, decidedBy, decidedAt, reason } = proposal
  const rows = await db
    .select({ of: sql<number>`asked.no::int`, declined: { act, proposedBy, decidedBy, decidedAt, reason } })
    .from(proposal)
    .innerJoin(
      sql`unnest(${acts}, ${kinds}, ${ids}) WITH ORDINALITY asked (act, kind, id, no)`,
      sql`${proposal.subjectKind} = asked.kind AND ${proposal.subjectId} = asked.id
        AND ${concerns(sql`proposal`, sql`asked.act`)} AND ${isDeclined(sql`proposal`)}`,
    )
    .orderBy(desc(decidedAt))
  return asked.map((_, at) => rows.filter((row) => row.of === at + 1).map((row) => row.declined))
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
