import { sql } from 'drizzle-orm'
import type { SecurityChange } from '../../../contract/office/memberFacts.ts'
import type { Db } from '../../platform/db/database.ts'

/** The messages that tell a member of a change of the second factors: nothing else keeps when one was removed. */
const factorMessages = ['passkeyAdded', 'passkeyRemoved', 'totpAdded', 'totpRemoved', 'recoveryCodesReplaced']

export type DatedChange = { what: SecurityChange; at: number }

/**
 * When each kind of security setting was last changed, newest first. The first verification, the first withdrawal account and
 * the first device of a member are no changes.
 */
export async function readSecurityChanges(db: Db, memberId: string): Promise<DatedChange[]> {
  const { rows } = await db.execute<{ what: SecurityChange; at: number }>(sql`
    SELECT what, max(at)::float8 AS at FROM (
      SELECT r.kind || '_password' AS what, r.decided_at AS at FROM password_request r
      WHERE r.member_id = ${memberId} AND r.status = 'successful' AND NOT r.recovery
      UNION ALL
      SELECT c.kind || '_password', c.used_at FROM password_recovery_code c
      WHERE c.member_id = ${memberId} AND c.used_at IS NOT NULL
      UNION ALL
      SELECT 'second_factor', m.at FROM message m
      WHERE m.member_id = ${memberId} AND m.key IN ${factorMessages}
      UNION ALL
      SELECT 'withdrawal_account', a.bound_at FROM withdrawal_account a
      WHERE a.member_id = ${memberId} AND EXISTS (
        SELECT FROM withdrawal_account b WHERE b.member_id = a.member_id AND b.bound_at < a.bound_at)
      UNION ALL
      SELECT 'withdrawal_account', a.unbound_at FROM withdrawal_account a
      WHERE a.member_id = ${memberId} AND a.unbound_at IS NOT NULL
      UNION ALL
      SELECT 'verified_name', v.decided_at FROM verification v
      WHERE v.member_id = ${memberId} AND v.status = 'verified' AND EXISTS (SELECT FROM audit a
        WHERE a.member_id = v.member_id AND a.act = 'revoke' AND a.subject_kind = 'verification'
          AND a.subject_id <> v.id)
      UNION ALL
      SELECT 'new_device', l.at FROM login_event l
      WHERE l.member_id = ${memberId} AND l.result = 'succeeded' AND NOT l.known AND EXISTS (
        SELECT FROM login_event b WHERE b.member_id = l.member_id AND b.result = 'succeeded' AND b.at < l.at)
      UNION ALL
      SELECT 'login_denied', l.denied_at FROM login_event l
      WHERE l.member_id = ${memberId} AND l.denied_at IS NOT NULL
    ) change GROUP BY what ORDER BY 2 DESC, 1`)
  return rows.map(({ what, at }) => ({ what, at }))
}
