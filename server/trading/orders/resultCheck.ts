import { and, asc, gte, isNotNull, lt, sql, type SQL } from 'drizzle-orm'
import { minuteMs } from '../../../contract/time.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { orders, type OrderRow } from '../schema.ts'
import { LogCorruptError } from '../../platform/logCorruptError.ts'
import type { StoredLog } from '../../market/index.ts'
import { createLogReader, decide } from './decision.ts'
import { fillColumns } from './orderRow.ts'

/**
 * Which settled orders are settled again: those settled at `since` (epoch ms) or later, none of them because of that if it is
 * null, and of the others a share from 0 to 1, drawn by the hash of seed and order: with the same seed the same ones.
 */
export type CheckedOrders = { since: number | null; share: number; seed: string }
export const everyOrder: CheckedOrders = { since: null, share: 1, seed: '' }

export type ResultCheck = {
  /** All settled orders, and those of them that were settled again. */
  settled: number
  checked: number
  /** Of those, orders whose ticks were later cut out of a damaged log, so they cannot be settled again. */
  cut: number
  /** One line for each order whose stored result is not what the log gives. */
  findings: string[]
}

/** Orders that are read at once; more if so many were accepted within a minute. */
const ordersPerRead = 1000

/**
 * Settles settled orders again from the stored log, and compares the result with their rows.
 * @param onProgress called with how many of how many orders are done
 */
export async function checkResults(
  db: Db,
  log: StoredLog,
  which: CheckedOrders,
  onProgress: (done: number, total: number) => void,
): Promise<ResultCheck> {
  const { settled, total, spans } = await readSpans(db, which)
  const check: ResultCheck = { settled, checked: 0, cut: 0, findings: [] }
  const cuts = await readLogCuts(db)
  for (const span of spans) {
    // What is read of the log is kept for these orders only, product by product: those of the same time need the same ticks.
    const reader = createLogReader(log)
    for (const row of await readOrders(db, which, span)) {
      check.checked += 1
      if (cuts.some((cut) => cut.touches(row))) check.cut += 1
      else check.findings.push(...(await compare(reader, row)))
    }
    onProgress(check.checked, total)
  }
  return check
}

/** Whole minutes since 1970, from ≤ minute ≤ to. */
type Span = { from: number; to: number; orders: number }

/** The times in which the orders were accepted, each with as many as are read at once. */
async function readSpans(
  db: Db,
  which: CheckedOrders,
): Promise<{ settled: number; total: number; spans: Span[] }> {
  const { rows } = await db.execute<{ minute: number; settled: number; chosen: number }>(sql`
    SELECT accepted_at / ${minuteMs}::bigint AS minute, count(*) AS settled,
        count(*) FILTER (WHERE ${isChosen(which)}) AS chosen
      FROM orders WHERE settled_at IS NOT NULL GROUP BY 1 ORDER BY 1`)
  const spans: Span[] = []
  let [settled, total] = [0, 0]
  for (const { minute, ...count } of rows) {
    settled += count.settled
    total += count.chosen
    const span = spans.at(-1)
    if (count.chosen === 0) continue
    if (span === undefined || span.orders + count.chosen > ordersPerRead)
      spans.push({ from: minute, to: minute, orders: count.chosen })
    else Object.assign(span, { to: minute, orders: span.orders + count.chosen })
  }
  return { settled, total, spans }
}

const readOrders = (db: Db, which: CheckedOrders, { from, to }: Span): Promise<OrderRow[]> =>
  db
    .select()
    .from(orders)
    .where(
      and(
        gte(orders.acceptedAt, from * minuteMs),
        lt(orders.acceptedAt, (to + 1) * minuteMs),
        isNotNull(orders.settledAt),
        isChosen(which),
      ),
    )
    .orderBy(asc(orders.productId), asc(orders.acceptedAt), asc(orders.id))

/** The first bytes of a hash that are compared with the share. */
const shareBytes = 6

function isChosen({ since, share, seed }: CheckedOrders): SQL {
  if (share >= 1) return sql`true`
  const limit = Math.round(share * 256 ** shareBytes)
    .toString(16)
    .padStart(2 * shareBytes, '0')
  const hashOfOrder = sql`sha256(convert_to(${seed}::text || ' ' || ${orders.id}, 'UTF8'))`
  const isDrawn = sql`${hashOfOrder} < decode(${limit}::text, 'hex')`
  return since === null ? isDrawn : sql`(${orders.settledAt} >= ${since}::bigint OR ${isDrawn})`
}

async function compare(reader: ReturnType<typeof createLogReader>, row: OrderRow): Promise<string[]> {
  try {
    const { settlement } = await decide(reader, { row, entry: null })
    const { status, reason, payout } = settlement
    const fromLog = { status, reason, payout, ...fillColumns(settlement) }
    const differing = Object.entries(fromLog).filter(([name, value]) => row[name as keyof OrderRow] !== value)
    if (differing.length === 0) return []
    const [name = '', value] = differing[0] ?? []
    const stored = String(row[name as keyof OrderRow])
    return [`order ${row.no}: its ${name} is ${stored}, the tick log says ${String(value)}`]
  } catch (error) {
    if (!(error instanceof LogCorruptError)) throw error
    return [`order ${row.no}: its ticks cannot be read (${error.place})`]
  }
}

/** A time that was cut out of a damaged log. */
export type LogCut = { touches(row: OrderRow): boolean }

/** The times that `log cut` took out of the log. Orders that were settled before keep their result. */
export async function readLogCuts(db: Db | DbTransaction): Promise<LogCut[]> {
  const { rows } = await db.execute<{
    cutAt: number
    productId: string | null
    from: number
    to: number
  }>(sql`
    SELECT c.at AS "cutAt", p.id AS "productId", k.at0 - 1 AS "from", k.at1 AS "to"
      FROM cut_chunk k JOIN log_cut c ON c.id = k.cut_id JOIN feed_product p ON p.ix = k.ix
    UNION ALL SELECT c.at, NULL, min(b.at) - 60000, c.at
      FROM cut_batch b JOIN log_cut c ON c.id = b.cut_id GROUP BY c.id, c.at`)
  return rows.map(({ cutAt, productId, from, to }) => ({
    touches: (row) =>
      (row.settledAt ?? 0) <= cutAt &&
      (productId === null || productId === row.productId) &&
      row.closeAt > from &&
      row.acceptedAt <= to,
  }))
}
