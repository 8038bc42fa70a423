import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'

/** A condition on a column with a member's id: the members that a statement reads. */
export type MemberRange = (column: string) => SQL
/** A query with a finding for each row that is wrong. */
export type Rule = (own: MemberRange) => SQL

/** Postings of one kind per thing that they belong to: how many, and what they moved together. */
const postings = (own: MemberRange, kind: string): SQL => sql`
  SELECT member_id, ref_id, array_agg(type || ' ' || available || ' ' || held || ' ' || fund || ' ' || external
    ORDER BY id) AS moved
  FROM posting WHERE ${own('member_id')} AND ref_kind = ${kind} GROUP BY member_id, ref_id`

/** Every posting has its cause, and every cause its postings: orders, deposits, withdrawals, the fund, practice money. */
export const causeRules: readonly Rule[] = [
  (
    own,
  ) => sql`SELECT 'order ' || coalesce(o.no, p.ref_id) || ': its postings are not its stake and its payout' AS finding
    FROM (SELECT * FROM orders WHERE ${own('member_id')}) o FULL JOIN (
      SELECT member_id, ref_id, count(*) FILTER (WHERE type = 'stake') AS stakes,
        count(*) FILTER (WHERE type <> 'stake') AS results,
        coalesce(sum(available) FILTER (WHERE type = 'stake'), 0) AS staked,
        coalesce(sum(available) FILTER (WHERE type <> 'stake'), 0) AS paid
      FROM posting WHERE ${own('member_id')} AND ref_kind = 'order' GROUP BY member_id, ref_id) p
      ON p.ref_id = o.id AND p.member_id = o.member_id
    WHERE o.id IS NULL OR (p.stakes, p.results, p.staked, p.paid) IS DISTINCT FROM
      (1::bigint, CASE WHEN o.settled_at IS NULL THEN 0 ELSE 1 END::bigint, -o.amount::numeric, coalesce(o.payout, 0)::numeric)
    ORDER BY 1`,
  (own) => sql`SELECT 'deposit ' || coalesce(d.no, p.ref_id) || ': its posting is not its amount' AS finding
    FROM (SELECT * FROM deposit WHERE ${own('member_id')} AND status = 'successful') d
    FULL JOIN (${postings(own, 'deposit')}) p ON p.ref_id = d.id AND p.member_id = d.member_id
    WHERE d.id IS NULL OR p.moved IS DISTINCT FROM ARRAY['deposit ' || d.amount || ' 0 0 ' || -d.amount]
    ORDER BY 1`,
  (
    own,
  ) => sql`SELECT 'withdrawal ' || coalesce(w.no, p.ref_id) || ': its postings are not its hold and its end' AS finding
    FROM (SELECT * FROM withdrawal WHERE ${own('member_id')}) w
    FULL JOIN (${postings(own, 'withdrawal')}) p ON p.ref_id = w.id AND p.member_id = w.member_id
    LEFT JOIN hold h ON h.id = w.hold_id LEFT JOIN hold_resolution r ON r.hold_id = h.id
    WHERE w.id IS NULL OR p.moved IS DISTINCT FROM array_remove(ARRAY[
        'withdrawal_hold ' || -w.amount || ' ' || w.amount || ' 0 0', CASE w.status
        WHEN 'successful' THEN 'withdrawal_paid 0 ' || -w.amount || ' 0 ' || w.amount
        WHEN 'failed' THEN 'withdrawal_returned ' || w.amount || ' ' || -w.amount || ' 0 0' END], NULL)
      OR (h.member_id, h.amount, h.ref_id) IS DISTINCT FROM (w.member_id, w.amount, w.id)
      OR r.outcome IS DISTINCT FROM CASE w.status WHEN 'successful' THEN 'posted' WHEN 'failed' THEN 'voided' END
    ORDER BY 1`,
  (
    own,
  ) => sql`SELECT 'fund transfer ' || coalesce(f.id, p.ref_id) || ': its postings are not its amount' AS finding
    FROM (SELECT *, CASE kind WHEN 'deposit' THEN 'fund_deposit' ELSE 'fund_withdrawal' END AS ref_kind
      FROM fund_record WHERE ${own('member_id')} AND kind <> 'earning') f
    FULL JOIN (SELECT 'fund_deposit' AS ref_kind, d.* FROM (${postings(own, 'fund_deposit')}) d
      UNION ALL SELECT 'fund_withdrawal', w.* FROM (${postings(own, 'fund_withdrawal')}) w) p
      ON p.ref_id = f.id AND p.member_id = f.member_id AND p.ref_kind = f.ref_kind
    WHERE f.id IS NULL OR p.moved IS DISTINCT FROM CASE WHEN f.kind = 'deposit'
      THEN ARRAY['fund_in ' || -f.amount || ' 0 ' || f.amount || ' 0']
      WHEN f.mode = 'fast' THEN ARRAY['fund_out ' || f.amount || ' 0 ' || -f.amount || ' 0']
      ELSE array_remove(ARRAY['fund_out 0 ' || f.amount || ' ' || -f.amount || ' 0', CASE f.status
        WHEN 'successful' THEN 'fund_out ' || f.amount || ' ' || -f.amount || ' 0 0' END], NULL) END
    ORDER BY 1`,
  (own) => sql`SELECT 'fund earning of ' || coalesce(e.on_day, p.ref_id) || ' of member '
      || coalesce(e.member_id, p.member_id) || ': it is not what the day''s rate gives' AS finding
    FROM (SELECT e.*, r.per10k AS rate FROM fund_earning e LEFT JOIN fund_rate r ON r.on_day = e.on_day
      WHERE ${own('member_id')}) e
    FULL JOIN (${postings(own, 'fund_earning')}) p ON p.ref_id = e.on_day AND p.member_id = e.member_id
    WHERE e.member_id IS NULL OR e.per10k IS DISTINCT FROM e.rate
      OR p.moved IS DISTINCT FROM CASE WHEN e.amount > 0 THEN ARRAY['fund_earning 0 0 ' || e.amount || ' 0'] END
    ORDER BY 1`,
  (
    own,
  ) => sql`SELECT 'member ' || b.member_id || ': what is held, staked or in the fund has other causes' AS finding
    FROM balance b WHERE ${own('b.member_id')} AND (b.held, b.stakes, b.fund) IS DISTINCT FROM (
      (SELECT coalesce(sum(w.amount), 0)::bigint FROM withdrawal w
        WHERE w.member_id = b.member_id AND w.status = 'under_review')
      + (SELECT coalesce(sum(f.amount), 0)::bigint FROM fund_record f
        WHERE f.member_id = b.member_id AND f.status = 'under_review'),
      (SELECT coalesce(sum(o.amount), 0)::bigint FROM orders o WHERE o.member_id = b.member_id AND o.settled_at IS NULL),
      (SELECT coalesce(sum(f.confirmed + f.pending), 0)::bigint FROM fund_account f WHERE f.member_id = b.member_id))
    ORDER BY b.member_id`,
  (
    own,
  ) => sql`SELECT 'posting ' || id || ' of member ' || member_id || ': nothing stands behind it' AS finding
    FROM posting WHERE ${own('member_id')} AND CASE type
      WHEN 'grant' THEN id <> 1 OR ref_id <> member_id WHEN 'reset' THEN ref_id <> member_id
      ELSE ref_kind <> CASE type WHEN 'stake' THEN 'order' WHEN 'payout' THEN 'order' WHEN 'refund' THEN 'order'
        WHEN 'deposit' THEN 'deposit' WHEN 'fund_in' THEN 'fund_deposit' WHEN 'fund_out' THEN 'fund_withdrawal'
        WHEN 'fund_earning' THEN 'fund_earning' ELSE 'withdrawal' END END
    ORDER BY member_id, id`,
]
