import { and, eq, gte, lte, sql } from 'drizzle-orm'
import { minor } from '../../../contract/units.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { InterruptedOutcomes } from '../../../contract/products.ts'
import type { Db } from '../../platform/db/database.ts'
import { refundTally } from '../schema.ts'
import { createFreshValue } from '../../platform/freshValue.ts'
import type { Clock } from '../../platform/ports.ts'

/** Refunded orders, and whether they were ahead, behind or level when interrupted. */
export type Refunds = { refundedOrders: number; stood: InterruptedOutcomes }

/** The refunds of a gap, named by its `from`, or of a source, named by its `sinceAt`. */
export type RefundsOfCause = { cause: 'gap' | 'source'; at: number; refundedOrders: number }

/** Reads the public totals of orders refunded because of gaps and source changes. */
export type RefundReader = {
  /**
   * The refunds of a product's gaps (by their `from`) or sources (by their `sinceAt`) between two instants, inclusive.
   * One query. Gaps and sources without refunds are absent.
   */
  between(productId: string, cause: 'gap' | 'source', from: number, to: number): Promise<Map<number, Refunds>>
  /** The refunds of each product by gaps and sources that began at an instant or later. One query. */
  since(from: number): Promise<ReadonlyMap<string, readonly RefundsOfCause[]>>
  /** The total of each product that had refunds; at most {@link sumsFreshMs} old. */
  sums(): Promise<ReadonlyMap<string, Refunds>>
}

export const noRefunds: Refunds = { refundedOrders: 0, stood: { ahead: 0, behind: 0, level: 0, pnl: '0.00' } }

/** The sums are read at most this often, however many requests there are. */
const sumsFreshMs = 1000

export function createRefundReader(db: Db, clock: Pick<Clock, 'now'>): RefundReader {
  return {
    between: async (productId, cause, from, to) => {
      const rows = await db
        .select()
        .from(refundTally)
        .where(
          and(
            eq(refundTally.productId, productId),
            eq(refundTally.cause, cause),
            gte(refundTally.at, from),
            lte(refundTally.at, to),
          ),
        )
      return new Map(rows.map((row) => [row.at, refundsOf(row)]))
    },
    since: async (from) => {
      const rows = await db.select().from(refundTally).where(gte(refundTally.at, from))
      const byProduct = new Map<string, RefundsOfCause[]>()
      for (const { productId, cause, at, ...tally } of rows) {
        const { refundedOrders } = refundsOf(tally)
        const ofProduct = byProduct.get(productId) ?? []
        byProduct.set(productId, [...ofProduct, { cause, at, refundedOrders }])
      }
      return byProduct
    },
    sums: createFreshValue(clock, sumsFreshMs, () => readSums(db)),
  }
}

async function readSums(db: Db): Promise<ReadonlyMap<string, Refunds>> {
  const sum = (column: 'ahead' | 'behind' | 'level' | 'pnl') =>
    sql<number>`sum(${refundTally[column]})::bigint`.mapWith(Number)
  const rows = await db
    .select({
      productId: refundTally.productId,
      ahead: sum('ahead'),
      behind: sum('behind'),
      level: sum('level'),
      pnl: sum('pnl'),
    })
    .from(refundTally)
    .groupBy(refundTally.productId)
  return new Map(rows.map((row) => [row.productId, refundsOf(row)]))
}

type Tally = { ahead: number; behind: number; level: number; pnl: number }

const refundsOf = ({ ahead, behind, level, pnl }: Tally): Refunds => ({
  refundedOrders: ahead + behind + level,
  stood: { ahead, behind, level, pnl: formatMoney(minor(pnl)) },
})
