import { bytesToHex } from '@noble/hashes/utils.js'
import type { Pool } from 'pg'
import { monthOf, weekOf, type BusinessDay } from '../../../contract/time.ts'
import { pgCode } from '../../platform/db/errors.ts'
import type { Fence } from '../../platform/db/fence.ts'
import type { BalanceRow } from '../../money/index.ts'
import type { OrderRow } from '../schema.ts'
import type { PlacedOrder } from '../../platform/ports.ts'
import { placementRequestSql } from './placementKey.ts'

/** An order about to be placed, with its answer and the fingerprint of its request. */
export type PlaceStatementInput = { row: OrderRow; fingerprint: string; placed: PlacedOrder; answer: string }
/** The balances after the debits. A missing member did not have enough for all of their orders, or has a lower limit. */
export type DebitedBalances = ReadonlyMap<string, BalanceRow>

/**
 * Places orders in one statement: lock the leader's term, compare the oldest order with the newest flush, lock the balances
 * in a fixed order, debit those that suffice, then write the orders, postings and stored answers of the debited members.
 * The members' own limits are checked under the balance's lock. It commits as a whole or not at all.
 * It posts the contract's movement `stake` (a test compares).
 *
 * It places nothing if a flush has overtaken the orders, or if one of the keys has an answer, and the one row that it returns
 * says so: both happen in normal trade, to a few orders in a hundred, and PostgreSQL logs each error with its whole statement.
 * What two nodes write at the same moment still conflicts at the key's constraint. It reads the flushes of the same snapshot as the trigger \`orders_are_new\`,
 * so that the trigger rejects only what other statements write. A flush that commits while this one runs is in no snapshot of
 * either: \`orders_are_staked\` rejects the orders if it is a second newer.
 */
const placeSql = `
WITH fence AS MATERIALIZED (
  SELECT held_term($4::bigint), $5::bigint < (SELECT at FROM tick_batch ORDER BY id DESC LIMIT 1) IS TRUE AS overtaken
), asked AS MATERIALIZED (
  SELECT i.* FROM jsonb_to_recordset($1::jsonb) AS i (
    rank bigint, running bigint, id text, no text, member_id text, key text, product_id text, direction text,
    amount bigint, seconds integer, rate_bp integer, rule text, price_decimals integer, entry_timeout_ms integer,
    max_tick_gap_ms integer, entry_delay_ms integer, exit_window_ms integer, exit_cut_bp integer,
    exit_min_ticks integer, source text, accepted_at bigint, valid_until bigint, close_at bigint, head_seq bigint, head_hash text,
    log_origin text, fingerprint text, answer text), fence
), checked AS MATERIALIZED (
  SELECT overtaken, EXISTS (SELECT FROM asked i, LATERAL (SELECT FROM idempotency a
    WHERE (a.member_id, a.method, a.path, a.key) = (i.member_id, ${placementRequestSql}, i.key) LIMIT 1) AS a) AS used
  FROM fence
), input AS (
  SELECT i.* FROM asked i, checked c WHERE NOT c.overtaken AND NOT c.used
), totals AS (
  SELECT member_id, sum(amount)::bigint AS total, max(amount) AS largest, count(*) AS orders
  FROM input GROUP BY member_id
), locked AS (
  SELECT b.member_id FROM balance b JOIN totals t ON t.member_id = b.member_id ORDER BY b.member_id FOR UPDATE OF b
), debited AS (
  UPDATE balance b SET available = b.available - t.total, stakes = b.stakes + t.total, version = b.version + t.orders
  FROM totals t JOIN locked l ON l.member_id = t.member_id
  WHERE b.member_id = t.member_id AND b.available >= t.total AND within_limits(b.member_id, t.largest, b.stakes + t.total,
    CASE WHEN b.today_on = $2 THEN b.today_pnl ELSE 0 END, CASE WHEN b.week_on = $6 THEN b.week_pnl ELSE 0 END,
    CASE WHEN b.month_on = $7 THEN b.month_pnl ELSE 0 END, $3)
  RETURNING b.*, t.total, t.orders
), placed AS (
  SELECT i.*, d.version - d.orders + i.rank AS posting_id, d.available + d.total - i.running AS available_after,
    d.stakes - d.total + i.running AS stakes_after, d.held, d.fund, d.pnl
  FROM input i JOIN debited d ON d.member_id = i.member_id
), ordered AS (
  INSERT INTO orders (id, no, member_id, key, product_id, direction, amount, seconds, rate_bp, rule, price_decimals,
    entry_timeout_ms, max_tick_gap_ms, entry_delay_ms, exit_window_ms, exit_cut_bp, exit_min_ticks, source, accepted_at,
    valid_until, close_at, head_seq, head_hash, log_origin, status)
  SELECT id, no, member_id, key, product_id, direction, amount, seconds, rate_bp, rule, price_decimals,
    entry_timeout_ms, max_tick_gap_ms, entry_delay_ms, exit_window_ms, exit_cut_bp, exit_min_ticks, source, accepted_at,
    valid_until, close_at, head_seq, decode(head_hash, 'hex'), log_origin, 'accepted' FROM placed
), posted AS (
  INSERT INTO posting (member_id, id, at, type, amount, available, stakes, available_after, held_after, stakes_after,
    fund_after, pnl_after, ref_kind, ref_id)
  SELECT member_id, posting_id, accepted_at, 'stake', -amount, -amount, amount, available_after, held, stakes_after,
    fund, pnl, 'order', id FROM placed
), answered AS (
  INSERT INTO idempotency (member_id, method, path, key, fingerprint, status, body, created_at)
  SELECT member_id, ${placementRequestSql}, key, fingerprint, 201, answer, accepted_at FROM placed
)
SELECT member_id AS "memberId", available, held, stakes, fund, pnl, today_pnl AS "todayPnl", today_on AS "todayOn",
  week_pnl AS "weekPnl", week_on AS "weekOn", month_pnl AS "monthPnl", month_on AS "monthOn", version,
  overtaken, used
FROM checked LEFT JOIN debited ON true`

/** SQLSTATE of the triggers that reject orders in the past (`orders_are_new`, `orders_are_staked`). */
const newerFlushCode = 'UT002'

/** Whether a trigger rejected the statement because a flush committed while it ran: check the orders again. */
export const isOvertakenByFlush = (error: unknown): boolean => pgCode(error) === newerFlushCode

/**
 * @param business the business day and instant, for the limits that members set for themselves
 * @returns `overtaken` if a flush was committed after an order's instant: check the orders again; `used` if a key has an answer.
 *   In both cases none is placed
 * @throws an error of which {@link isOvertakenByFlush} is true; a unique violation; LeaseLostError
 */
export async function placeOrders(
  { pool, fence }: { pool: Pool; fence: Fence },
  inputs: readonly PlaceStatementInput[],
  business: { today: BusinessDay; now: number },
): Promise<DebitedBalances | 'overtaken' | 'used'> {
  const input = JSON.stringify(toRankedRows(inputs))
  const oldest = Math.min(...inputs.map(({ row }) => row.acceptedAt))
  const { rows } = await fence.guard(() =>
    pool.query<PlacedRow>({
      name: 'place orders',
      text: placeSql,
      values: [
        input,
        business.today,
        business.now,
        fence.term,
        oldest,
        weekOf(business.today),
        monthOf(business.today),
      ],
    }),
  )
  if (rows[0]?.overtaken === true) return 'overtaken'
  if (rows[0]?.used === true) return 'used'
  return new Map(
    rows.flatMap(({ overtaken: _overtaken, used: _used, ...balance }) =>
      isDebited(balance) ? [[balance.memberId, balance]] : [],
    ),
  )
}

/** Without a debited member there is one row, without a balance. */
type PlacedRow = { overtaken: boolean; used: boolean } & (BalanceRow | Record<keyof BalanceRow, null>)

const isDebited = (balance: BalanceRow | Record<keyof BalanceRow, null>): balance is BalanceRow =>
  balance.memberId !== null

const usedKeysSql = `
SELECT i.id FROM unnest($1::text[], $2::text[], $3::text[]) AS i (id, member_id, key)
WHERE EXISTS (SELECT FROM orders o WHERE o.member_id = i.member_id AND o.key = i.key)
  OR EXISTS (SELECT FROM idempotency a
    WHERE (a.member_id, a.method, a.path, a.key) = (i.member_id, ${placementRequestSql}, i.key))`

/** The ids of the rows whose key has an order or a stored answer. */
export async function findUsedKeys(
  pool: Pool,
  rows: readonly Pick<OrderRow, 'id' | 'memberId' | 'key'>[],
): Promise<ReadonlySet<string>> {
  const columns = [rows.map(({ id }) => id), rows.map(({ memberId }) => memberId), rows.map(({ key }) => key)]
  const used = await pool.query<{ id: string }>(usedKeysSql, columns)
  return new Set(used.rows.map(({ id }) => id))
}

/** Rows as the statement reads them: each with its rank among its member's orders, and the running total of stakes. */
function toRankedRows(inputs: readonly PlaceStatementInput[]): object[] {
  const members = new Map<string, { rank: number; running: number }>()
  return inputs.map(({ row, fingerprint, answer }) => {
    const before = members.get(row.memberId)
    const rank = (before?.rank ?? 0) + 1
    const running = (before?.running ?? 0) + row.amount
    members.set(row.memberId, { rank, running })
    return {
      rank,
      running,
      id: row.id,
      no: row.no,
      member_id: row.memberId,
      key: row.key,
      product_id: row.productId,
      direction: row.direction,
      amount: row.amount,
      seconds: row.seconds,
      rate_bp: row.rateBp,
      rule: row.rule,
      price_decimals: row.priceDecimals,
      entry_timeout_ms: row.entryTimeoutMs,
      max_tick_gap_ms: row.maxTickGapMs,
      entry_delay_ms: row.entryDelayMs,
      exit_window_ms: row.exitWindowMs,
      exit_cut_bp: row.exitCutBp,
      exit_min_ticks: row.exitMinTicks,
      source: row.source,
      accepted_at: row.acceptedAt,
      valid_until: row.validUntil,
      close_at: row.closeAt,
      head_seq: row.headSeq,
      head_hash: row.headHash && bytesToHex(row.headHash),
      log_origin: row.logOrigin,
      fingerprint,
      answer,
    }
  })
}
