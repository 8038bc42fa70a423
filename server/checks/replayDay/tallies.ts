import { asc } from 'drizzle-orm'
import { dayMs } from '../../../contract/time.ts'
import type { InterruptedOutcome, Settlement } from '../../../contract/settle.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { outcomeTally, type OrderRow } from '../../trading/index.ts'
import { refundTally } from '../../market/index.ts'
import { pick, type Replay, type Row } from './replay.ts'

const refundColumns = ['productId', 'cause', 'at', 'ahead', 'behind', 'level', 'pnl'] as const
const outcomeColumns = ['productId', 'day', 'won', 'lost', 'tied', 'refunded', 'rateSum'] as const

/** What settled orders add to the tallies that the venue publishes. */
export class Tallies {
  readonly #refunds = new Map<string, Row>()
  readonly #outcomes = new Map<string, Row>()

  /** Counts an order that was settled at an instant; `interrupted` is how it stood if a gap or source refunded it. */
  add(
    { productId, rateBp }: Pick<OrderRow, 'productId' | 'rateBp'>,
    settledAt: number,
    { status }: Pick<Settlement, 'status'>,
    interrupted: InterruptedOutcome | null,
  ): void {
    const day = Math.floor(settledAt / dayMs)
    const isDecided = status === 'won' || status === 'lost'
    addTo(
      this.#outcomes,
      `${productId} ${day}`,
      { productId, day, won: 0, lost: 0, tied: 0, refunded: 0, rateSum: 0 },
      { [status]: 1, rateSum: isDecided ? rateBp : 0 },
    )
    if (!interrupted) return
    const { cause, side, pnl } = interrupted
    addTo(
      this.#refunds,
      `${productId} ${cause.kind} ${cause.at}`,
      { productId, cause: cause.kind, at: cause.at, ahead: 0, behind: 0, level: 0, pnl: 0 },
      { [side]: 1, pnl },
    )
  }

  /** @throws RowDiffersError */
  async compare(db: Db | DbTransaction, replay: Replay): Promise<void> {
    const refunds = await db
      .select()
      .from(refundTally)
      .orderBy(asc(refundTally.productId), asc(refundTally.cause), asc(refundTally.at))
    for (const row of refunds) {
      const key = `${row.productId} ${row.cause} ${row.at}`
      compareNext(replay, 'refund_tally', key, pick(row, refundColumns), this.#refunds)
    }
    for (const [key, row] of this.#refunds) replay.compare('refund_tally', key, null, row)
    const outcomes = await db
      .select()
      .from(outcomeTally)
      .orderBy(asc(outcomeTally.productId), asc(outcomeTally.day))
    for (const row of outcomes) {
      const key = `${row.productId} ${row.day}`
      compareNext(replay, 'outcome_tally', key, pick(row, outcomeColumns), this.#outcomes)
    }
    for (const [key, row] of this.#outcomes) replay.compare('outcome_tally', key, null, row)
  }
}

function addTo(
  tally: Map<string, Row>,
  key: string,
  none: Row,
  counts: Readonly<Record<string, number>>,
): void {
  const before = tally.get(key) ?? none
  const sums = Object.entries(counts).map(([name, count]) => [name, Number(before[name]) + count])
  tally.set(key, { ...before, ...Object.fromEntries(sums) })
}

function compareNext(replay: Replay, table: string, key: string, stored: Row, tally: Map<string, Row>): void {
  replay.compare(table, key, stored, tally.get(key) ?? null)
  tally.delete(key)
}
