import { and, asc, eq, gte, inArray, lt, min, or, type SQL } from 'drizzle-orm'
import { settlementDeadlineMs } from '../../../contract/constants.ts'
import type { Order } from '../../../contract/orders.ts'
import { decidedFrom, interruptedOutcomeOf, settle, type Settlement } from '../../../contract/settle.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { idempotency } from '../../platform/db/schema.ts'
import {
  orders,
  type OrderRow,
  fillColumns,
  toOrder,
  toSettleOrder,
  toTerms,
  readLogCuts,
  type LogCut,
} from '../../trading/index.ts'
import type { ReplayLog } from '../../market/index.ts'
import { pick, type Replay, type Row } from './replay.ts'
import { Tallies } from './tallies.ts'

/** Instants from ≤ t < to of the orders to settle; null for every order. */
export type TimeRange = { from: number; to: number } | null

type OrdersParts = {
  db: Db | DbTransaction
  log: ReplayLog
  replay: Replay
  range: TimeRange
  onProgress: (line: string) => void
}

const ordersPerRead = 500
const resultColumns = ['status', 'reason', 'payout'] as const
const entryColumns = ['entrySeq', 'entryAt', 'entryPrice'] as const

/**
 * Every order that was accepted or settled in the range: its terms from the stored answer to the member's command, its
 * entry and result from the ticks.
 * @returns how many could not be settled again, because their ticks were cut out of a damaged log
 * @throws RowDiffersError
 */
export async function replayOrders(parts: OrdersParts): Promise<{ cut: number }> {
  const { db, replay, range, onProgress } = parts
  const cuts = await readLogCuts(db)
  const [oldest] = await db.select({ at: min(idempotency.createdAt) }).from(idempotency)
  const tallies = new Tallies()
  const ids = await readIds(db, range)
  let cut = 0
  for (let i = 0; i < ids.length; i += ordersPerRead) {
    const page = ids.slice(i, i + ordersPerRead)
    const rows = await db
      .select()
      .from(orders)
      .where(inArray(orders.id, page))
      .orderBy(...byTime)
    const answers = await readAnswers(db, rows)
    for (const row of rows) {
      const answer = answers.get(`${row.memberId} ${row.key}`)
      // Answers are deleted after some days; one that is newer than another one is still there.
      const isKept = oldest?.at !== null && oldest !== undefined && row.acceptedAt >= oldest.at
      if (answer !== undefined || isKept) await compareAnswer(parts, row, answer ?? null)
      if (isCut(cuts, row)) cut += 1
      else await compareResult(parts, row, tallies)
    }
    onProgress(`${i + rows.length} of ${ids.length} orders`)
  }
  // The tallies count every order since the beginning.
  if (range === null && cut === 0) await tallies.compare(db, replay)
  return { cut }
}

const byTime = [asc(orders.productId), asc(orders.acceptedAt), asc(orders.id)] as const

async function readIds(db: Db | DbTransaction, range: TimeRange): Promise<string[]> {
  const within = (column: typeof orders.acceptedAt | typeof orders.settledAt): SQL | undefined =>
    range === null ? undefined : and(gte(column, range.from), lt(column, range.to))
  const rows = await db
    .select({ id: orders.id })
    .from(orders)
    .where(or(within(orders.acceptedAt), within(orders.settledAt)))
    .orderBy(...byTime)
  return rows.map(({ id }) => id)
}

const isCut = (cuts: readonly LogCut[], row: OrderRow): boolean => cuts.some((cut) => cut.touches(row))

async function readAnswers(
  db: Db | DbTransaction,
  rows: readonly OrderRow[],
): Promise<ReadonlyMap<string, string>> {
  const keys = rows.map(({ key }) => key)
  const answers = await db
    .select()
    .from(idempotency)
    .where(
      and(
        eq(idempotency.method, 'POST'),
        eq(idempotency.path, '/api/orders'),
        eq(idempotency.status, 201),
        inArray(idempotency.key, keys),
      ),
    )
  return new Map(answers.map(({ memberId, key, body }) => [`${memberId} ${key}`, body]))
}

/** The answer that the member got: the order as it was accepted, and the head of the chain at that instant. */
async function compareAnswer(
  { log, replay }: OrdersParts,
  row: OrderRow,
  text: string | null,
): Promise<void> {
  const accepted = toOrder(asAccepted(row), row.acceptedAt)
  const name = `answer to order ${row.no}`
  if (text === null) return replay.compare('idempotency', name, null, { id: row.id, no: row.no })
  const answer = JSON.parse(text) as Order
  const { head } = answer
  const hash = head && (await log.hashAt(row.productId, head.seq))
  const given = head && { ...head, hash: hash ?? head.hash }
  replay.compareText('idempotency', name, { venue: answer, replay: { ...accepted, head: given }, text })
}

const asAccepted = (row: OrderRow): OrderRow => ({
  ...row,
  status: 'accepted',
  settledAt: null,
  payout: null,
  reason: null,
  version: 1,
  ...fillColumns({ entry: null, exit: null }),
})

async function compareResult({ log, replay }: OrdersParts, row: OrderRow, tallies: Tallies): Promise<void> {
  const { productId, no } = row
  const [terms, order] = [toTerms(row), toSettleOrder(row)]
  const sources = log.sources(productId)
  const gaps = log.gaps(productId)
  const ticks = await log.ticksIn(productId, decidedFrom(terms, order), row.closeAt)
  const settlement = settle(terms, order, ticks, gaps, sources)
  const fills = fillColumns(settlement)
  const name = `order ${no}`
  if (row.settledAt !== null) {
    const result = { no, ...pick(settlement, resultColumns), ...fills }
    const stored = pick(row, Object.keys(fills) as (keyof typeof fills)[])
    replay.compare('orders', name, { no, ...pick(row, resultColumns), ...stored }, result)
    const interrupted = interruptedOutcomeOf(terms, order, settlement, ticks, gaps, sources)
    tallies.add(row, row.settledAt, settlement, interrupted)
  } else if (log.watermark(productId) > row.closeAt + settlementDeadlineMs) {
    replay.compare('orders', name, { no, ...pick(row, resultColumns) }, { no, ...finalOf(settlement) })
  } else if (row.entrySeq !== null) {
    replay.compare('orders', name, { no, ...pick(row, entryColumns) }, { no, ...pick(fills, entryColumns) })
  }
}

const finalOf = (settlement: Settlement): Row => pick(settlement, resultColumns)
