import { and, asc, gt, gte, lte } from 'drizzle-orm'
import { decidedFrom, settle } from '../../../contract/settle.ts'
import type { Db } from '../../platform/db/database.ts'
import {
  orders,
  type OrderRow,
  fillColumns,
  toSettleOrder,
  toTerms,
  readLogCuts,
} from '../../trading/index.ts'
import { readCheckedLog, type CheckedProduct, type FlushChain } from './checkedLog.ts'

/** Orders settled in after < t ≤ until, accepted at `acceptedFrom` or later. */
export type SettledTime = { after: number; until: number; acceptedFrom: number }
export type ResultsChecked = { orders: number; findings: string[] }

/**
 * Settles the orders of a time again, from the rows of the tick log and the rule alone, and compares with their rows.
 * @throws LogCorruptError if the log contradicts itself
 */
export async function settleAgain(
  db: Db,
  chain: FlushChain,
  settled: SettledTime,
  pause: () => Promise<unknown>,
): Promise<ResultsChecked> {
  const rows = await readSettled(db, settled)
  const from = Math.min(settled.until, ...rows.map((row) => decidedFrom(toTerms(row), row)))
  const until = Math.max(from, ...rows.map(({ closeAt }) => closeAt))
  const log = await readCheckedLog(db, chain, { from, until }, pause)
  const cuts = rows.length > 0 ? await readLogCuts(db) : []
  const checked: ResultsChecked = { orders: 0, findings: [] }
  for (const row of rows) {
    const product = log.product(row.productId)
    // Its ticks were moved out of a damaged log, or it was never in this one, so it cannot be settled again.
    if (product === null || cuts.some((cut) => cut.touches(row))) continue
    checked.orders += 1
    checked.findings.push(...(await differences(product, row)))
    await pause()
  }
  return checked
}

function readSettled(db: Db, { after, until, acceptedFrom }: SettledTime): Promise<OrderRow[]> {
  return db
    .select()
    .from(orders)
    .where(
      and(gte(orders.acceptedAt, acceptedFrom), gt(orders.settledAt, after), lte(orders.settledAt, until)),
    )
    .orderBy(asc(orders.productId), asc(orders.acceptedAt))
}

async function differences(product: CheckedProduct, row: OrderRow): Promise<string[]> {
  const { gaps, sources } = product
  const [terms, order] = [toTerms(row), toSettleOrder(row)]
  const ticks = await product.ticksIn(decidedFrom(terms, order), row.closeAt)
  const settlement = settle(terms, order, ticks, gaps, sources)
  const { status, reason, payout } = settlement
  const fromLog = { status, reason, payout, ...fillColumns(settlement) }
  const differing = Object.entries(fromLog).find(([name, value]) => row[name as keyof OrderRow] !== value)
  if (!differing) return []
  const [name, value] = differing
  return [
    `order ${row.no}: its ${name} is ${String(row[name as keyof OrderRow])}, the log says ${String(value)}`,
  ]
}
