import { sql, type SQL } from 'drizzle-orm'
import {
  decidedActs,
  type DecidedAct,
  type DecidedItem,
  type QueueName,
} from '../../../contract/office/queues.ts'
import { formatMoney } from '../../../contract/money.ts'
import { minor } from '../../../contract/units.ts'
import { readCursor } from '../../platform/cursor.ts'
import type { Db } from '../../platform/db/database.ts'
import { toPagedList, type PagedList, type PageRequest } from '../../platform/paging.ts'

/** Which rows `a` of the act log decide what waits in each queue; `w` is the withdrawal, `p` the proposal. */
const decisions: Readonly<Record<QueueName, SQL>> = {
  deposits: sql`(a.subject_kind = 'deposit' OR a.act = 'propose' AND p.act = 'deposits.reject')`,
  withdrawals: sql`(a.subject_kind = 'withdrawal' AND (w.approved_at IS NULL OR a.act = 'approve')
    OR a.act = 'propose' AND p.act = 'withdrawals.approve')`,
  payments: sql`(a.subject_kind = 'withdrawal' AND w.approved_at IS NOT NULL AND a.act <> 'approve'
    OR a.act = 'propose' AND p.act = 'withdrawals.reject')`,
  verifications: sql`a.subject_kind = 'verification'`,
  'password-requests': sql`(a.subject_kind = 'password-request' OR a.act = 'propose' AND p.act = 'password-requests.approve')`,
  service: sql`a.subject_kind IN ('service_message', 'service_thread')`,
  proposals: sql`a.subject_kind = 'proposal' AND a.act <> 'propose'`,
}

type Decided = {
  log: number
  kind: string
  subject: string
  act: DecidedAct
  at: number
  no: string | null
  account: string | null
  amount: number | null
  total: number
}

/**
 * What one person has decided of a queue since an instant, as the act log has it, newest first; the first page says of how
 * many. Each request is there once, with what the person did to it last. What the person took back is not: nothing of it
 * is left.
 */
export async function listDecided(
  db: Db,
  page: PageRequest,
  { queue, actor, since }: { queue: QueueName; actor: string; since: number },
): Promise<PagedList<DecidedItem> & { total?: number }> {
  const after = readCursor(page.cursor)
  const { rows } = await db.execute<Decided>(sql`
    SELECT * FROM (SELECT o.*, (count(*) OVER ())::int AS total FROM (
      SELECT DISTINCT ON (subject, proposed_act) a.id::float8 AS log,
        ${queue === 'proposals' ? sql`p.act` : sql`NULL::text`} AS proposed_act, a.act, a.at::float8 AS at,
        CASE WHEN p.id IS NOT NULL THEN p.subject_kind WHEN a.subject_kind LIKE 'service%' THEN 'service' ELSE a.subject_kind END AS kind,
        CASE WHEN p.id IS NOT NULL THEN p.subject_id WHEN a.subject_kind LIKE 'service%' THEN a.member_id ELSE a.subject_id END AS subject,
        coalesce(d.no, w.no) AS no, m.account, coalesce(d.amount, w.amount)::float8 AS amount
      FROM audit a
        LEFT JOIN proposal p ON a.subject_kind = 'proposal' AND p.id = a.subject_id
        LEFT JOIN deposit d ON d.id = coalesce(p.subject_id, a.subject_id)
        LEFT JOIN withdrawal w ON w.id = coalesce(p.subject_id, a.subject_id)
        LEFT JOIN member m ON m.id = a.member_id
      WHERE a.actor = ${actor} AND a.at >= ${since}::bigint AND a.act = ANY(${sql.param(decidedActs)}) AND ${decisions[queue]}
        AND NOT (a.act = 'propose' AND p.status = 'cancelled' AND p.decided_by = p.proposed_by)
      ORDER BY subject, proposed_act, a.id DESC
    ) o) v
    WHERE ${after === null ? sql`true` : sql`v.log < ${after[0]}`}
    ORDER BY log DESC LIMIT ${page.limit + 1}`)
  const item = ({ kind, subject: id, amount, act, at, no, account }: Decided): DecidedItem => ({
    subject: { kind, id },
    act,
    at,
    no,
    account,
    amount: amount === null ? null : formatMoney(minor(amount)),
  })
  const list = toPagedList(rows, page.limit, item, ({ log }) => [log, ''])
  return { ...list, ...(after === null && { total: rows[0]?.total ?? 0 }) }
}
