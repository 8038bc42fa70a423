import type { Pool } from 'pg'
import { entryLimit } from '../../contract/settle.ts'
import type { SettleTick } from '../../contract/settle.ts'
import type { Db } from '../db/database.ts'
import { isRejectedByDatabase } from '../db/errors.ts'
import { withRetry } from '../db/retry.ts'
import type { Fence } from '../db/fence.ts'
import type { OrderRow } from '../db/schema/order.ts'
import type { Flush, TickBlock, TickSource } from '../ports.ts'
import type { PendingOrder, PendingOrders } from './pendingOrders.ts'
import { readOpenOrders } from './readBack.ts'
import { toSettleOrder, toTerms } from './orderRow.ts'
import { storeEntries } from './settleStatement.ts'
import { TaskTracker } from './taskTracker.ts'

export type EntryFinderParts = {
  pool: Pool
  db: Db
  fence: Fence
  market: TickSource
  pendingOrders: PendingOrders
  onOpened: (row: OrderRow) => void
  onError: (error: unknown) => void
}

/** Finds the entry of each accepted order: the first tick after it was accepted, as soon as that tick is committed. */
export type EntryFinder = {
  /** Starts looking for the entry of an order that was just added to the pending orders. */
  watch(order: PendingOrder): void
  onFlush(flush: Flush): void
  /** Resolves when no search or save is in progress. */
  idle(): Promise<void>
}

/** Entries stored by one statement at most. */
const saveBatchMax = 500

export function createEntryFinder({
  pool,
  db,
  fence,
  market,
  pendingOrders,
  onOpened,
  onError,
}: EntryFinderParts): EntryFinder {
  const unsaved = new Map<string, PendingOrder>()
  /** Orders of statements that failed with unknown outcome. */
  const unknownOutcome = new WeakSet<PendingOrder>()
  const saving = new TaskTracker()
  const searches = new TaskTracker()

  const recordEntry = (order: PendingOrder, entry: SettleTick): void => {
    order.entry = entry
    pendingOrders.stopAwaitingEntry(order)
    unsaved.set(order.row.id, order)
    if (!saving.isBusy) void saving.add(save())
  }

  const save = async (): Promise<void> => {
    try {
      // In the next turn, so that all entries of one flush are stored together.
      await Promise.resolve()
      while (unsaved.size > 0) await saveBatch()
    } catch (error) {
      // The entries stay in the queue and are stored with the next flush's; settling does not wait for them.
      onError(error)
    }
  }

  const saveBatch = async (): Promise<void> => {
    const batch = [...unsaved.values()].slice(0, saveBatchMax)
    const open = batch.filter((order) => pendingOrders.has(order.row.id))
    const entries = open.flatMap(({ row, entry }) => (entry ? [{ orderId: row.id, entry }] : []))
    const versions = await withRetry(() => storeEntries({ pool, fence }, entries)).catch((error: unknown) => {
      if (!isRejectedByDatabase(error)) for (const order of open) unknownOutcome.add(order)
      throw error
    })
    const missing: PendingOrder[] = []
    for (const order of batch) {
      const version = versions.get(order.row.id)
      if (version === undefined && unknownOutcome.has(order)) {
        missing.push(order)
        continue
      }
      unsaved.delete(order.row.id)
      if (version === undefined || !order.entry) continue
      const { seq, at, price } = order.entry
      markOpened(order, {
        ...order.row,
        status: 'open',
        entrySeq: seq,
        entryAt: at,
        entryPrice: price,
        version,
      })
    }
    await reportStored(missing)
  }

  const markOpened = (order: PendingOrder, row: OrderRow): void => {
    if (!pendingOrders.has(row.id)) return
    order.row = row
    onOpened(row)
  }

  /** Reports entries that an earlier statement stored, as the database has them. */
  const reportStored = async (orders: readonly PendingOrder[]): Promise<void> => {
    const rows = await readOpenOrders(
      db,
      orders.map((order) => order.row.id),
    )
    const rowOf = new Map(rows.map((row) => [row.id, row]))
    for (const order of orders) {
      unsaved.delete(order.row.id)
      const row = rowOf.get(order.row.id)
      if (row) markOpened(order, row)
    }
  }

  /** Searches the ticks committed between acceptance and now, including those flushed during the search. */
  const searchLog = async (order: PendingOrder): Promise<void> => {
    const { productId, acceptedAt } = order.row
    const lastAt = lastEntryAt(order)
    let searchedTo = acceptedAt
    try {
      while (searchedTo < Math.min(lastAt, market.watermark(productId))) {
        const until = Math.min(lastAt, market.watermark(productId))
        const entry = await market.firstTick(productId, searchedTo, until)
        if (entry) return recordEntry(order, entry)
        searchedTo = until
      }
    } catch (error) {
      // Without an entry the order stays `accepted` until it is settled, which reads the log again.
      onError(error)
    } finally {
      order.isSearching = false
    }
  }

  return {
    watch: (order) => {
      if (order.entry || market.watermark(order.row.productId) <= order.row.acceptedAt) return
      order.isSearching = true
      void searches.add(searchLog(order))
    },
    onFlush: ({ at, blocks }) => {
      for (const block of blocks) {
        for (const order of pendingOrders.waiting(block.id)) {
          if (order.isSearching) continue
          const entry = firstTickIn(block, order.row.acceptedAt, lastEntryAt(order))
          if (entry) recordEntry(order, entry)
          else if (at >= lastEntryAt(order)) pendingOrders.stopAwaitingEntry(order)
        }
      }
      if (unsaved.size > 0 && !saving.isBusy) void saving.add(save())
    },
    idle: async () => {
      await searches.idle()
      await saving.idle()
    },
  }
}

/** The last instant at which an entry counts; ticks of another source never do. */
const lastEntryAt = ({ row, dueAt }: PendingOrder): number =>
  entryLimit(toTerms(row), { ...toSettleOrder(row), closeAt: dueAt })

/** The first tick of a block with after < at ≤ until. */
function firstTickIn({ values, seq0 }: TickBlock, after: number, until: number): SettleTick | null {
  for (let i = 0; i + 2 < values.length; i += 3) {
    const at = values[i] ?? 0
    if (at > until) return null
    if (at > after) return { seq: seq0 + i / 3, at, price: values[i + 1] ?? 0 }
  }
  return null
}
