import type { Pool } from 'pg'
import type { SettleTick, Settlement, InterruptedOutcome } from '../../../contract/settle.ts'
import { dayMs, monthOf, weekOf, type BusinessDay } from '../../../contract/time.ts'
import type { Fence } from '../../platform/db/fence.ts'
import type { BalanceRow, PostingRow } from '../../money/index.ts'
import { fillColumns } from './orderRow.ts'

/** `interruptedOutcome` is how an order stood that a gap or a change of source refunds; null for every other order. */
export type SettlementDecision = {
  orderId: string
  memberId: string
  settlement: Settlement
  interruptedOutcome: InterruptedOutcome | null
}
/** What a settlement changed: the orders' new versions, and per member the postings and the balance after them. */
export type SettledBatch = {
  orders: ReadonlyMap<string, number>
  postings: readonly SettledPosting[]
  balances: readonly BalanceRow[]
}
/** What a settlement posted: postings, and the balances after them. */
export type LedgerChanges = Pick<SettledBatch, 'postings' | 'balances'>
export type SettledPosting = Pick<
  PostingRow,
  'memberId' | 'id' | 'at' | 'type' | 'amount' | 'availableAfter' | 'refKind' | 'refId'
>

/** Messages about results that are written by one statement, which other statements have to wait for. */
const messagesAtOnce = 100

/**
 * Settles orders in one statement. The condition on `settled_at` makes sure that an order is settled once; money moves,
 * refunds and outcomes are tallied, and results are listed for the messages, only for the orders that this statement
 * closed. It posts the movements `payout` and `refund` of the contract (a test compares). Balances are locked in the same order as when placing.
 */
const settleSql = `
WITH fence AS MATERIALIZED (
  SELECT held_term($4::bigint)
), input AS (
  SELECT i.* FROM jsonb_to_recordset($1::jsonb) AS i (
    id text, member_id text, status text, reason text, payout bigint, entry_seq bigint, entry_at bigint,
    entry_price bigint, exit_seq bigint, exit_at bigint, exit_price bigint, exit_value numeric, exit_sum numeric,
    exit_ticks integer, exit_from bigint, exit_to bigint, cause text, cause_at bigint, side text,
    stood_pnl bigint), fence
), locked AS (
  SELECT b.member_id FROM balance b WHERE b.member_id IN (SELECT member_id FROM input)
  ORDER BY b.member_id FOR UPDATE
), closed AS (
  UPDATE orders o SET status = i.status, reason = i.reason, payout = i.payout, settled_at = $2::bigint,
    entry_seq = i.entry_seq, entry_at = i.entry_at, entry_price = i.entry_price,
    exit_seq = i.exit_seq, exit_at = i.exit_at, exit_price = i.exit_price, exit_value = i.exit_value,
    exit_sum = i.exit_sum, exit_ticks = i.exit_ticks, exit_from = i.exit_from, exit_to = i.exit_to,
    version = o.version + 1
  FROM input i, (SELECT count(*) FROM locked) AS all_locked
  WHERE o.id = i.id AND o.settled_at IS NULL
  RETURNING o.id, o.member_id, o.product_id, o.amount, o.payout, o.status, o.rate_bp, o.version
), totals AS (
  SELECT member_id, sum(amount)::bigint AS stakes, sum(payout)::bigint AS payouts, count(*) AS orders
  FROM closed GROUP BY member_id
), credited AS (
  UPDATE balance b SET available = b.available + t.payouts, stakes = b.stakes - t.stakes,
    pnl = b.pnl + t.payouts - t.stakes, version = b.version + t.orders,
    today_pnl = CASE WHEN b.today_on = $3 THEN b.today_pnl ELSE 0 END + t.payouts - t.stakes, today_on = $3,
    week_pnl = CASE WHEN b.week_on = $5 THEN b.week_pnl ELSE 0 END + t.payouts - t.stakes, week_on = $5,
    month_pnl = CASE WHEN b.month_on = $6 THEN b.month_pnl ELSE 0 END + t.payouts - t.stakes, month_on = $6
  FROM totals t WHERE b.member_id = t.member_id
  RETURNING b.*, t.stakes AS freed, t.payouts, t.orders
), posted AS (
  INSERT INTO posting (member_id, id, at, type, amount, available, stakes, house, pnl, available_after, held_after,
    stakes_after, fund_after, pnl_after, ref_kind, ref_id)
  SELECT c.member_id, b.version - b.orders + row_number() OVER own, $2::bigint,
    CASE c.status WHEN 'refunded' THEN 'refund' ELSE 'payout' END, c.payout,
    c.payout, -c.amount, c.amount - c.payout, c.payout - c.amount,
    b.available - b.payouts + sum(c.payout) OVER own, b.held, b.stakes + b.freed - sum(c.amount) OVER own, b.fund,
    b.pnl - b.payouts + b.freed + sum(c.payout - c.amount) OVER own, 'order', c.id
  FROM closed c JOIN credited b ON b.member_id = c.member_id
  WINDOW own AS (PARTITION BY c.member_id ORDER BY c.id ROWS UNBOUNDED PRECEDING)
  RETURNING member_id, id, type, amount, available_after, ref_id
), tallied AS (
  INSERT INTO refund_tally AS t (product_id, cause, at, ahead, behind, level, pnl)
  SELECT c.product_id, i.cause, i.cause_at, count(*) FILTER (WHERE i.side = 'ahead'),
    count(*) FILTER (WHERE i.side = 'behind'), count(*) FILTER (WHERE i.side = 'level'), sum(i.stood_pnl)
  FROM closed c JOIN input i ON i.id = c.id WHERE i.cause IS NOT NULL
  GROUP BY c.product_id, i.cause, i.cause_at ORDER BY c.product_id, i.cause, i.cause_at
  ON CONFLICT (product_id, cause, at) DO UPDATE SET ahead = t.ahead + excluded.ahead,
    behind = t.behind + excluded.behind, level = t.level + excluded.level, pnl = t.pnl + excluded.pnl
), outcomes AS (
  INSERT INTO outcome_tally AS t (product_id, day, won, lost, tied, refunded, rate_sum)
  SELECT product_id, $2::bigint / ${dayMs}, count(*) FILTER (WHERE status = 'won'),
    count(*) FILTER (WHERE status = 'lost'), count(*) FILTER (WHERE status = 'tied'),
    count(*) FILTER (WHERE status = 'refunded'),
    coalesce(sum(rate_bp) FILTER (WHERE status IN ('won', 'lost')), 0)
  FROM closed GROUP BY product_id ORDER BY product_id
  ON CONFLICT (day, product_id) DO UPDATE SET won = t.won + excluded.won, lost = t.lost + excluded.lost,
    tied = t.tied + excluded.tied, refunded = t.refunded + excluded.refunded, rate_sum = t.rate_sum + excluded.rate_sum
), listed AS (
  INSERT INTO result_outbox (order_ids)
  SELECT jsonb_agg(id) FROM (SELECT id, row_number() OVER () / ${messagesAtOnce} AS part FROM closed) AS parts GROUP BY part
)
SELECT
  (SELECT jsonb_agg(jsonb_build_array(id, version)) FROM closed) AS orders,
  (SELECT jsonb_agg(jsonb_build_object('memberId', member_id, 'id', id, 'at', $2::bigint, 'type', type, 'amount', amount,
     'availableAfter', available_after, 'refKind', 'order', 'refId', ref_id) ORDER BY member_id, id) FROM posted) AS postings,
  (SELECT jsonb_agg(jsonb_build_object('memberId', member_id, 'available', available, 'held', held, 'stakes', stakes,
     'fund', fund, 'pnl', pnl, 'todayPnl', today_pnl, 'todayOn', today_on, 'weekPnl', week_pnl, 'weekOn', week_on,
     'monthPnl', month_pnl, 'monthOn', month_on, 'version', version)) FROM credited) AS balances`

/** The connection pool, and the term that the statements check. */
type StatementContext = { pool: Pool; fence: Fence }

type SettleStatementRow = {
  orders: [string, number][] | null
  postings: SettledPosting[] | null
  balances: BalanceRow[] | null
}

export async function settleOrders(
  { pool, fence }: StatementContext,
  decisions: readonly SettlementDecision[],
  settledAt: number,
  day: BusinessDay,
): Promise<SettledBatch> {
  const input = JSON.stringify(decisions.map(toInputRow))
  const { rows } = await fence.guard(() =>
    pool.query<SettleStatementRow>({
      name: 'settle orders',
      text: settleSql,
      values: [input, settledAt, day, fence.term, weekOf(day), monthOf(day)],
    }),
  )
  const [row] = rows
  return {
    orders: new Map(row?.orders ?? []),
    postings: row?.postings ?? [],
    balances: row?.balances ?? [],
  }
}

function toInputRow({ orderId, memberId, settlement, interruptedOutcome }: SettlementDecision): object {
  const { status, reason, payout } = settlement
  const fills = fillColumns(settlement)
  return {
    id: orderId,
    member_id: memberId,
    status,
    reason,
    payout,
    entry_seq: fills.entrySeq,
    entry_at: fills.entryAt,
    entry_price: fills.entryPrice,
    exit_seq: fills.exitSeq,
    exit_at: fills.exitAt,
    exit_price: fills.exitPrice,
    exit_value: fills.exitValue,
    exit_sum: fills.exitSum,
    exit_ticks: fills.exitTicks,
    exit_from: fills.exitFrom,
    exit_to: fills.exitTo,
    cause: interruptedOutcome?.cause.kind ?? null,
    cause_at: interruptedOutcome?.cause.at ?? null,
    side: interruptedOutcome?.side ?? null,
    stood_pnl: interruptedOutcome?.pnl ?? null,
  }
}

const entrySql = `
UPDATE orders o SET status = 'open', entry_seq = i.seq, entry_at = i.at, entry_price = i.price, version = o.version + 1
FROM jsonb_to_recordset($1::jsonb) AS i (id text, seq bigint, at bigint, price bigint)
WHERE (SELECT held_term($2::bigint)) IS NOT NULL AND o.id = i.id AND o.status = 'accepted'
RETURNING o.id, o.version`

/** Stores entries; returns the new versions of the orders that still waited for one. */
export async function storeEntries(
  { pool, fence }: StatementContext,
  entries: readonly { orderId: string; entry: SettleTick }[],
): Promise<ReadonlyMap<string, number>> {
  const input = JSON.stringify(entries.map(({ orderId, entry }) => ({ id: orderId, ...entry })))
  const { rows } = await fence.guard(() =>
    pool.query<{ id: string; version: number }>({
      name: 'open orders',
      text: entrySql,
      values: [input, fence.term],
    }),
  )
  return new Map(rows.map(({ id, version }) => [id, version]))
}
