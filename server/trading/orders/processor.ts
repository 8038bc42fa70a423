import { isNull } from 'drizzle-orm'
import { onOwnSource } from '../../../contract/settle.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { orders, type OrderRow } from '../schema.ts'
import type { BusinessCalendar } from '../../money/index.ts'
import { Listeners, type TickSource } from '../../market/index.ts'
import type { Clock } from '../../platform/ports.ts'
import { PendingOrders } from './pendingOrders.ts'
import { createEntryFinder } from './entryFinder.ts'
import { createPlacementRecovery } from './placementRecovery.ts'
import { toEntryTick, toSettleOrder, toTerms } from './orderRow.ts'
import { createSettlement } from './settlement.ts'
import type { LedgerChanges } from './settleStatement.ts'
import { assertListed } from './sourceChange.ts'

export type OrderProcessorParts = {
  database: Pick<Database, 'db' | 'pool'>
  fence: Fence
  clock: Clock
  calendar: BusinessCalendar
  market: TickSource
  /** Reports failures that it survives and retries. */
  report: (message: string, error: unknown) => void
}

/** Finds entries and settles orders. It runs in the thread of the tick log, so that no client request delays it. */
export type OrderProcessor = {
  /** Follows orders that were just placed. */
  follow(rows: readonly OrderRow[]): void
  /** Reads the unsettled orders again for as long as a placement whose outcome is unknown may still be committed. */
  recoverPlacements(): void
  /** Called after an order's entry is stored. */
  onOpened(listener: (row: OrderRow) => void): () => void
  /** Called after orders are final and the money has moved. */
  onSettled(listener: (rows: readonly OrderRow[], moved: LedgerChanges) => void): () => void
}

export type RunningOrderProcessor = OrderProcessor & {
  /**
   * Loads the unsettled orders and follows the market from then on.
   * @returns how many orders there are
   * @throws SettingsError if the product table lacks a product that has such orders
   */
  start: () => Promise<number>
  /** Resolves when no search, save or settlement is in progress. */
  idle: () => Promise<void>
  stop: () => Promise<void>
}

export function createOrderProcessor(parts: OrderProcessorParts): RunningOrderProcessor {
  const { clock, calendar, market, report } = parts
  const { pool, db } = parts.database
  const pendingOrders = new PendingOrders()
  const shared = { pool, db, fence: parts.fence, market, pendingOrders }
  const opened = new Listeners<[OrderRow]>('an entry listener failed', report)
  const settled = new Listeners<[readonly OrderRow[], LedgerChanges]>('a settlement listener failed', report)
  const entryFinder = createEntryFinder({
    ...shared,
    onOpened: (row) => opened.notify(row),
    onError: (error) => report('storing entries failed', error),
  })
  const settlement = createSettlement({
    ...shared,
    clock,
    calendar,
    onSettled: (rows, { postings, balances }) => settled.notify(rows, { postings, balances }),
    onError: (error) => report('settling failed', error),
  })
  const follow = (rows: readonly OrderRow[]): void => {
    for (const row of rows) {
      if (pendingOrders.has(row.id)) continue
      const { closeAt: dueAt } = onOwnSource(toTerms(row), toSettleOrder(row), market.sources(row.productId))
      const order = { row, dueAt, entry: toEntryTick(row), isSearching: false }
      pendingOrders.add(order)
      entryFinder.watch(order)
    }
    settlement.sweep()
  }
  let stopped = false
  const loadUnsettled = async (): Promise<number> => {
    const rows = await readUnsettled(parts.database, settled)
    if (stopped) return rows.length
    assertListed(
      rows.map((row) => row.productId),
      (id) => market.settings(id) !== undefined,
    )
    follow(rows)
    return rows.length
  }
  const recovery = createPlacementRecovery({ clock, loadOrders: loadUnsettled, report })
  let unsubscribe = (): void => undefined
  return {
    follow,
    recoverPlacements: () => recovery.onUnknownOutcome(),
    onOpened: (listener) => opened.add(listener),
    onSettled: (listener) => settled.add(listener),
    start: async () => {
      unsubscribe = market.onFlush((flush) => {
        entryFinder.onFlush(flush)
        settlement.sweep()
      })
      return loadUnsettled()
    },
    idle: async () => {
      await entryFinder.idle()
      await settlement.idle()
    },
    stop: async () => {
      stopped = true
      recovery.stop()
      unsubscribe()
      await settlement.stop()
      await entryFinder.idle()
    },
  }
}

/** Excludes orders that are settled during the read: they have left the pending orders and must not be added again. */
async function readUnsettled(
  { db }: Pick<Database, 'db'>,
  settled: Listeners<[readonly OrderRow[], LedgerChanges]>,
): Promise<OrderRow[]> {
  const settledIds = new Set<string>()
  const unsubscribe = settled.add((finalRows) => finalRows.forEach((row) => settledIds.add(row.id)))
  try {
    const rows = await db.select().from(orders).where(isNull(orders.settledAt)).orderBy(orders.closeAt)
    return rows.filter((row) => !settledIds.has(row.id))
  } finally {
    unsubscribe()
  }
}
