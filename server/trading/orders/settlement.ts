import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Pool } from 'pg'
import { settlementDeadlineMs } from '../../../contract/constants.ts'
import type { Settlement } from '../../../contract/settle.ts'
import type { Db } from '../../platform/db/database.ts'
import { isRejectedByDatabase } from '../../platform/db/errors.ts'
import type { Fence } from '../../platform/db/fence.ts'
import type { OrderRow } from '../schema.ts'
import { withRetry } from '../../platform/db/retry.ts'
import type { BusinessCalendar } from '../../money/index.ts'
import type { Clock } from '../../platform/ports.ts'
import type { TickSource } from '../../market/index.ts'
import type { PendingOrder, PendingOrders } from './pendingOrders.ts'
import { readSettledOrders } from './readBack.ts'
import { createLogReader, decide } from './decision.ts'
import { fillColumns } from './orderRow.ts'
import {
  settleOrders,
  type SettlementDecision,
  type LedgerChanges,
  type SettledBatch,
} from './settleStatement.ts'
import { TaskTracker } from '../../platform/taskTracker.ts'

export type SettlementParts = {
  pool: Pool
  db: Db
  fence: Fence
  clock: Clock
  calendar: BusinessCalendar
  market: TickSource
  pendingOrders: PendingOrders
  /** Called after the commit, once per order, with the final rows and what their settlement posted. */
  onSettled: (rows: readonly OrderRow[], ledgerChanges: LedgerChanges) => void
  onError: (error: unknown) => void
}

export type SettlementRunner = {
  /** Settles the orders that are due; called after each flush, and by a timer at an order's settlement deadline. */
  sweep(): void
  /** Resolves when no settlement is in progress. */
  idle(): Promise<void>
  stop(): Promise<void>
}

/** Orders settled by one statement at most. */
const batchMax = 500
/** After a failure the next try waits this long, so that a failing database does not get 20 tries a second. */
const retryMs = 1000

/**
 * Settles orders: each once its product's watermark has passed its close, or 300 s after the close whatever the
 * watermark; if its source ended earlier, once the watermark has passed that. The result is the contract's `settle`
 * over the log, and has no other input.
 */
export function createSettlement(parts: SettlementParts): SettlementRunner {
  const { clock, market, pendingOrders } = parts
  const tasks = new TaskTracker()
  /** Orders of statements that failed with unknown outcome. */
  const unknownOutcome = new WeakSet<PendingOrder>()
  let pausedUntil = 0
  let stopped = false
  let timerAt = Number.POSITIVE_INFINITY
  let cancel = (): void => undefined

  const takeDue = (): PendingOrder[] => {
    const due: PendingOrder[] = []
    if (stopped) return due
    for (const productId of pendingOrders.productIds) {
      const until = Math.max(market.watermark(productId), clock.now() - settlementDeadlineMs)
      due.push(...pendingOrders.takeDue(productId, until, batchMax - due.length))
      if (due.length === batchMax) break
    }
    return due
  }

  const run = async (): Promise<void> => {
    const failed = await settleBatches(parts, unknownOutcome, takeDue)
    if (failed.length === 0) return
    pendingOrders.requeue(failed)
    pausedUntil = clock.now() + retryMs
  }

  /** The next instant at which something must happen even if no flush comes. */
  const scheduleNext = (): void => {
    const dueTimes = [...pendingOrders.productIds].map(
      (id) => pendingOrders.nextDueAt(id) ?? Number.POSITIVE_INFINITY,
    )
    const latest = Math.min(...dueTimes) + settlementDeadlineMs
    const next = pausedUntil > clock.now() ? pausedUntil : latest
    if (next === timerAt || stopped) return
    cancel()
    timerAt = next
    if (next === Number.POSITIVE_INFINITY) return
    cancel = clock.at(next, () => {
      timerAt = Number.POSITIVE_INFINITY
      sweep()
      return tasks.idle()
    })
  }

  const sweep = (): void => {
    if (stopped || tasks.isBusy || pendingOrders.size === 0 || clock.now() < pausedUntil) return
    void tasks.add(run()).finally(scheduleNext)
  }

  return {
    sweep,
    idle: () => tasks.idle(),
    stop: async () => {
      stopped = true
      cancel()
      await tasks.idle()
    },
  }
}

/** Orders that could not be settled, and a function that publishes those that were. */
type BatchOutcome = { failed: PendingOrder[]; publish: () => void }

const nothing = (): void => undefined

/**
 * Settles batches one after another until no order is due. While the database works on a batch, members receive the
 * results of the one before.
 * @returns the orders of the first batch with failures that could not be settled; no batch follows it
 */
async function settleBatches(
  parts: SettlementParts,
  unknownOutcome: WeakSet<PendingOrder>,
  takeDue: () => PendingOrder[],
): Promise<PendingOrder[]> {
  let publishBefore = nothing
  for (let due = takeDue(); due.length > 0; due = takeDue()) {
    const settling = settleBatch(parts, unknownOutcome, due).catch((error: unknown) => {
      parts.onError(error)
      return { failed: due, publish: nothing }
    })
    await nextTurn()
    publishBefore()
    const { failed, publish } = await settling
    publishBefore = publish
    if (failed.length === 0) continue
    publish()
    return failed
  }
  publishBefore()
  return []
}

async function settleBatch(
  parts: SettlementParts,
  unknownOutcome: WeakSet<PendingOrder>,
  due: readonly PendingOrder[],
): Promise<BatchOutcome> {
  const { clock, onError } = parts
  const log = createLogReader(parts.market)
  const failed: PendingOrder[] = []
  const decided: (SettlementDecision & { order: PendingOrder })[] = []
  await Promise.all(
    due.map(async (order) => {
      try {
        const { settlement, interruptedOutcome } = await decide(log, order)
        const { id: orderId, memberId } = order.row
        decided.push({ order, orderId, memberId, settlement, interruptedOutcome })
      } catch (error) {
        onError(error)
        failed.push(order)
      }
    }),
  )
  if (decided.length === 0) return { failed, publish: nothing }
  const settledAt = clock.now()
  const settled = await settleDecided(parts, unknownOutcome, decided, settledAt)
  const rows: OrderRow[] = []
  const missing: PendingOrder[] = []
  for (const { order, settlement } of decided) {
    const version = settled.orders.get(order.row.id)
    // Without a new version it was already settled: by a statement with unknown outcome, or by a reported one.
    if (version === undefined && unknownOutcome.has(order)) {
      missing.push(order)
      continue
    }
    parts.pendingOrders.remove(order)
    if (version !== undefined) rows.push(toFinalRow(order.row, settlement, settledAt, version))
  }
  const publish = (): void => {
    if (rows.length > 0) parts.onSettled(rows, settled)
  }
  if (missing.length === 0) return { failed, publish }
  publish()
  return { failed: [...failed, ...(await reportSettled(parts, missing))], publish: nothing }
}

async function settleDecided(
  { pool, fence, calendar }: SettlementParts,
  unknownOutcome: WeakSet<PendingOrder>,
  decided: readonly (SettlementDecision & { order: PendingOrder })[],
  settledAt: number,
): Promise<SettledBatch> {
  const day = calendar.dayOf(settledAt)
  try {
    return await withRetry(() => settleOrders({ pool, fence }, decided, settledAt, day))
  } catch (error) {
    if (!isRejectedByDatabase(error)) for (const { order } of decided) unknownOutcome.add(order)
    throw error
  }
}

/** Reports orders that an earlier statement settled, as the database has them; returns those it could not read. */
async function reportSettled(
  { db, pendingOrders, onError, onSettled }: SettlementParts,
  missing: readonly PendingOrder[],
): Promise<PendingOrder[]> {
  try {
    const { rows, ledgerChanges } = await readSettledOrders(
      db,
      missing.map((order) => order.row.id),
    )
    const settledIds = new Set(rows.map((row) => row.id))
    for (const order of missing) if (settledIds.has(order.row.id)) pendingOrders.remove(order)
    if (rows.length > 0) onSettled(rows, ledgerChanges)
    return missing.filter((order) => !settledIds.has(order.row.id))
  } catch (error) {
    onError(error)
    return [...missing]
  }
}

function toFinalRow(row: OrderRow, settlement: Settlement, settledAt: number, version: number): OrderRow {
  const { status, reason, payout } = settlement
  return { ...row, ...fillColumns(settlement), status, reason, payout, settledAt, version }
}
