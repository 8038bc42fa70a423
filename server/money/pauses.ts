import { sql, type SQL } from 'drizzle-orm'

/*
 * What members may not do at present, as conditions for lists of many. One member's freeze and limits are read by
 * `freezes/` and `selfLimits/`.
 */

export const isFrozen = (memberId: SQL, now: number): SQL<boolean> =>
  sql<boolean>`EXISTS (SELECT FROM member_freeze f
    WHERE f.member_id = ${memberId} AND f.ended_at IS NULL AND f.until_at > ${now}::bigint)`

/** By the member's own wish. A change that is due counts. */
export const isExcluded = (memberId: SQL, businessNow: number): SQL<boolean> =>
  sql<boolean>`EXISTS (SELECT FROM member_limit l
    WHERE l.member_id = ${memberId} AND l.field = 'excludedUntil'
      AND CASE WHEN l.next_at <= ${businessNow}::bigint THEN l.next_value ELSE l.value END > ${businessNow}::bigint)`
