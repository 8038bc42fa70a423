import { gte, sql } from 'drizzle-orm'
import { outcomesMinOrders, type OutcomeShares } from '../../../contract/status.ts'
import { breakEvenRate } from '../../../contract/money.ts'
import { dayMs } from '../../../contract/time.ts'
import type { Db } from '../../platform/db/database.ts'
import { outcomeTally } from '../../trading/index.ts'

/** How many orders ended how; `rateSum` are the rates of the won and lost ones in basis points, added up. */
export type Outcomes = Record<'won' | 'lost' | 'tied' | 'refunded' | 'rateSum', number>

/** The outcomes of each product that had any, of the days that begin at `from` or later. One query, which reads no order. */
export async function readOutcomes(db: Db, from: number): Promise<ReadonlyMap<string, Outcomes>> {
  const { productId, day } = outcomeTally
  const sum = (column: keyof Outcomes) => sql<number>`sum(${outcomeTally[column]})::bigint`.mapWith(Number)
  const rows = await db
    .select({
      productId,
      won: sum('won'),
      lost: sum('lost'),
      tied: sum('tied'),
      refunded: sum('refunded'),
      rateSum: sum('rateSum'),
    })
    .from(outcomeTally)
    .where(gte(day, Math.ceil(from / dayMs)))
    .groupBy(productId)
  return new Map(rows.map(({ productId, ...outcomes }) => [productId, outcomes]))
}

/** The published part of them; null if there are too few orders. */
export function sharesOf({ won, lost, tied, refunded, rateSum }: Outcomes): OutcomeShares | null {
  const orders = won + lost + tied + refunded
  if (orders < outcomesMinOrders) return null
  const [wonBp = 0, lostBp = 0, tiedBp = 0, refundedBp = 0] = basisPoints([won, lost, tied, refunded])
  const decided = won + lost
  return {
    orders,
    wonBp,
    lostBp,
    tiedBp,
    refundedBp,
    decided:
      decided === 0
        ? null
        : {
            wonBp: basisPoints([won, lost])[0] ?? 0,
            breakEvenBp: Math.round(breakEvenRate(rateSum / decided) * 10_000),
          },
  }
}

/** The shares of counts in basis points, which add up to 10,000: those that lose most by rounding down get the rest. */
function basisPoints(counts: readonly number[]): number[] {
  const sum = counts.reduce((total, count) => total + count, 0)
  const shares = counts.map((count) => Math.floor((count * 10_000) / sum))
  const missing = 10_000 - shares.reduce((total, share) => total + share, 0)
  const byRest = counts
    .map((count, i) => ({ i, rest: (count * 10_000) % sum }))
    .sort((a, b) => b.rest - a.rest || a.i - b.i)
  for (const { i } of byRest.slice(0, missing)) shares[i] = (shares[i] ?? 0) + 1
  return shares
}
