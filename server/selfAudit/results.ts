import { and, asc, gt, gte, lte } from 'drizzle-orm'
import { decidedFrom, settle } from '../../contract/settle.ts'
import type { Db } from '../db/database.ts'
import { orders } from '../db/schema/order.ts'
import type { OrderRow } from '../db/schema/order.ts'
import { fillColumns, toSettleOrder, toTerms } from '../trading/orderRow.ts'
import { readLogCuts } from '../trading/resultCheck.ts'
import { readAuditLog } from './auditLog.ts'
import type { AuditedProduct, FlushChain } from './auditLog.ts'

/** Orders settled in after < t ≤ until, accepted at `acceptedFrom` or later. */
export type SettledTime = { after: number; until: number; acceptedFrom: number }
export type ResultAudit = { orders: number; findings: string[] }

/**
 * Settles the orders of a time again, from the rows of the tick log and the rule alone, and compares with their rows.
 * @throws LogCorruptError if the log contradicts itself
 */
export async function auditResults(
  db: Db,
  chain: FlushChain,
  settled: SettledTime,
  pause: () => Promise<unknown>,
): Promise<ResultAudit> {
  const rows = await readSettled(db, settled)
  const from = Math.min(settled.until, ...rows.map((row) => decidedFrom(toTerms(row), row)))
  const until = Math.max(from, ...rows.map(({ closeAt }) => closeAt))
  const log = await readAuditLog(db, chain, { from, until }, pause)
  const cuts = rows.length > 0 ? await readLogCuts(db) : []
  const audit: ResultAudit = { orders: 0, findings: [] }
  for (const row of rows) {
    const product = log.product(row.productId)
    // Its ticks were moved out of a damaged log, or it was never in this one: nobody can settle it again.
    if (product === null || cuts.some((cut) => cut.touches(row))) continue
    audit.orders += 1
    audit.findings.push(...(await differences(product, row)))
    await pause()
  }
  return audit
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

async function differences(product: AuditedProduct, row: OrderRow): Promise<string[]> {
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
