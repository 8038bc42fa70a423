import { sql } from 'drizzle-orm'
import { dangerNames, type DangerName, type QueueItem } from '../../../contract/office/queues.ts'
import type { FourEyesAct } from '../../../contract/office/fourEyes.ts'
import { isFrozen } from '../../money/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { concerns, isDeclined } from '../fourEyes/earlier.ts'

/** What a row of a queue says beside what all of them say. */
export type QueueMarks = Pick<QueueItem, 'params' | 'approvedBy' | 'dangers' | 'secondDeclined'>
type Marked = { id: string; memberId: string | null }
type Row = {
  id: string
  params: string | null
  approvedBy: string | null
  isFrozen: boolean
  isProofUsed: boolean
  /** Details of the row of the act log by which it was proposed or approved. */
  approval: string | null
  declinedAct: FourEyesAct | null
  decidedBy: string | null
  reason: string | null
}

export const noMarks: QueueMarks = { params: null, approvedBy: null, dangers: [], secondDeclined: null }

/**
 * Of the rows of one page. A payee is sealed, so that it is compared when it is decided (`createStandingDangers`), and the act
 * log has what was found. What is found here in one statement for the page is found there too, from what the request shows.
 */
export async function readMarks(
  db: Db,
  items: readonly Marked[],
  now: number,
): Promise<ReadonlyMap<string, QueueMarks>> {
  if (items.length === 0) return new Map()
  const ids = items.map(({ id }) => id)
  const members = items.map(({ memberId }) => memberId)
  const { rows } = await db.execute<Row>(sql`
    SELECT i.id, p.params, CASE WHEN p.id IS NULL THEN w.approved_by END AS "approvedBy",
      ${isFrozen(sql`i.member_id`, now)} AS "isFrozen",
      EXISTS (SELECT FROM upload u JOIN upload o ON o.content_hash = u.content_hash AND o.id <> u.id
        JOIN deposit other ON other.proof_upload_id = o.id WHERE u.id = d.proof_upload_id) AS "isProofUsed",
      (SELECT a.details FROM audit a WHERE a.id = (SELECT max(l.id) FROM audit l
        WHERE (l.act = 'propose' AND l.subject_kind = 'proposal' AND l.subject_id = p.id)
          OR (p.id IS NULL AND l.act = 'approve' AND l.subject_kind = 'withdrawal' AND l.subject_id = w.id))) AS approval,
      x.act AS "declinedAct", x.decided_by AS "decidedBy", x.reason
    FROM unnest(${sql.param(ids)}::text[], ${sql.param(members)}::text[]) i (id, member_id)
      LEFT JOIN proposal p ON p.id = i.id
      LEFT JOIN deposit d ON d.id = coalesce(p.subject_id, i.id)
      LEFT JOIN withdrawal w ON w.id = coalesce(p.subject_id, i.id)
      LEFT JOIN LATERAL (
        SELECT c.* FROM proposal c
        WHERE c.subject_id = coalesce(p.subject_id, i.id) AND ${concerns(sql`c`, sql`p.act`)} AND ${isDeclined(sql`c`)}
        ORDER BY c.decided_at DESC LIMIT 1) x ON true`)
  return new Map(rows.map((row) => [row.id, toMarks(row)]))
}

function toMarks({ params, approvedBy, approval, ...row }: Row): QueueMarks {
  const { dangers: stored = '' } = JSON.parse(approval ?? '{}') as { dangers?: string }
  const found: Partial<Record<DangerName, boolean>> = {
    frozen: row.isFrozen,
    usedProof: row.isProofUsed,
    declined: row.declinedAct !== null,
  }
  return {
    params: params === null ? null : (JSON.parse(params) as Record<string, unknown>),
    approvedBy,
    dangers: dangerNames.filter((name) =>
      name in found ? found[name] === true : stored.split(' ').includes(name),
    ),
    secondDeclined:
      row.declinedAct === null
        ? null
        : { act: row.declinedAct, decidedBy: row.decidedBy, reason: row.reason },
  }
}
