import { sql, type SQL } from 'drizzle-orm'
import type { QueueName } from '../../../contract/office/queues.ts'

/** What waits in each queue, and what a row shows of it. */
const waiting: Readonly<Record<Exclude<QueueName, 'proposals'>, SQL>> = {
  deposits: sql`SELECT id, no, member_id, amount, created_at, method_id AS method,
      proof_upload_id IS NOT NULL AS has_picture, NULL::text AS country, NULL::int AS unread
    FROM deposit WHERE status = 'under_review' OR awaits_second`,
  withdrawals: sql`SELECT r.id, r.no, r.member_id, r.amount, r.created_at, a.type AS method,
      NULL::boolean AS has_picture, NULL::text AS country, NULL::int AS unread
    FROM withdrawal r JOIN withdrawal_account a ON a.id = r.account_id
    WHERE r.status = 'under_review' AND r.approved_at IS NULL`,
  payments: sql`SELECT r.id, r.no, r.member_id, r.amount, r.approved_at AS created_at, a.type AS method,
      NULL::boolean AS has_picture, NULL::text AS country, NULL::int AS unread
    FROM withdrawal r JOIN withdrawal_account a ON a.id = r.account_id
    WHERE r.status = 'under_review' AND r.approved_at IS NOT NULL`,
  verifications: sql`SELECT id, NULL::text AS no, member_id, NULL::bigint AS amount, submitted_at AS created_at,
      NULL::text AS method, NULL::boolean AS has_picture, nationality AS country, NULL::int AS unread
    FROM verification WHERE status = 'under_review'`,
  'password-requests': sql`SELECT id, NULL::text AS no, member_id, NULL::bigint AS amount, created_at,
      NULL::text AS method, NULL::boolean AS has_picture, NULL::text AS country, NULL::int AS unread
    FROM password_request WHERE status = 'under_review'`,
  service: sql`SELECT member_id AS id, NULL::text AS no, member_id, NULL::bigint AS amount, min(at) AS created_at,
      NULL::text AS method, bool_or(upload_id IS NOT NULL) AS has_picture, NULL::text AS country, count(*)::int AS unread
    FROM service_message WHERE sender = 'member' AND read_at IS NULL GROUP BY member_id`,
}
/** The queue of the request that a proposal decides; null if it decides none. */
export const queueOfAct = (act: SQL): SQL => sql`(CASE ${act} WHEN 'withdrawals.reject' THEN 'payments' ELSE
  substring(${act} from '^(deposits|withdrawals|password-requests)[.](?:approve|reject)$') END)`

/** Also `proposed_by`, `proposed_at`, of proposals `act`, and the same work as an item of another queue, if it is in one. */
export const waitingIn = (queue: QueueName, now: number): SQL =>
  queue === 'proposals'
    ? sql`SELECT p.id, coalesce(w.no, d.no) AS no, p.member_id, coalesce(w.amount, d.amount) AS amount, p.proposed_at AS created_at,
          NULL::text AS method, NULL::boolean AS has_picture, NULL::text AS country, NULL::int AS unread, p.act, p.proposed_by, p.proposed_at,
          ${queueOfAct(sql`p.act`)} AS same_queue, p.subject_id AS same_id
        FROM proposal p LEFT JOIN withdrawal w ON p.subject_kind = 'withdrawal' AND w.id = p.subject_id
          LEFT JOIN deposit d ON p.subject_kind = 'deposit' AND d.id = p.subject_id
        WHERE p.status = 'open' AND p.expires_at > ${now}::bigint`
    : sql`SELECT q.*, NULL::text AS act, p.proposed_by, p.proposed_at,
          'proposals' AS same_queue, p.id AS same_id FROM (${waiting[queue]}) q
        LEFT JOIN proposal p ON ${queueOfAct(sql`p.act`)} = ${queue}::text AND p.subject_id = q.id
          AND p.status = 'open' AND p.expires_at > ${now}::bigint`
