import { and, asc, gt, isNotNull, sql } from 'drizzle-orm'
import type { Db, DbTransaction } from '../db/database.ts'
import { orders } from '../db/schema/order.ts'
import type { OrderRow } from '../db/schema/order.ts'
import { LogCorruptError } from '../market/log/logCorruptError.ts'
import type { StoredLog } from '../market/storedLog.ts'
import { createLogReader, decide } from './decision.ts'
import { fillColumns } from './orderRow.ts'

export type ResultCheck = {
  settled: number
  /** Orders whose ticks were cut out of a damaged log later: nobody can settle them again. */
  cut: number
  /** One line for each order whose stored result is not what the log gives. */
  findings: string[]
}

const ordersPerRead = 500

/** Settles every settled order again from the stored log, and compares the result with its row. */
export async function checkResults(
  db: Db,
  log: StoredLog,
  onProgress: (orders: number) => void,
): Promise<ResultCheck> {
  const check: ResultCheck = { settled: 0, cut: 0, findings: [] }
  const cuts = await readLogCuts(db)
  let lastId = ''
  for (;;) {
    const rows = await db
      .select()
      .from(orders)
      .where(and(gt(orders.id, lastId), isNotNull(orders.settledAt)))
      .orderBy(asc(orders.id))
      .limit(ordersPerRead)
    const last = rows.at(-1)
    if (last === undefined) return check
    lastId = last.id
    // What is read of the log is kept for these orders only.
    const reader = createLogReader(log)
    for (const row of rows) {
      check.settled += 1
      if (cuts.some((cut) => cut.touches(row))) check.cut += 1
      else check.findings.push(...(await compare(reader, row)))
    }
    onProgress(check.settled)
  }
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
