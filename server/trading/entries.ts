import type { Pool } from 'pg'
import { entryLimit } from '../../contract/settle.ts'
import type { SettleTick } from '../../contract/settle.ts'
import type { Db } from '../db/database.ts'
import { isRefusedByDatabase } from '../db/errors.ts'
import { withRetry } from '../db/retry.ts'
import type { Fence } from '../db/fence.ts'
import type { OrderRow } from '../db/schema/order.ts'
import type { Flush, MarketBlock, TickSource } from '../ports.ts'
import type { BookOrder, OrderBook } from './book.ts'
import { openOrdersOf } from './readBack.ts'
import { settleOrderOf, termsOf } from './row.ts'
import { openOrders } from './settleStatement.ts'
import { Work } from './work.ts'

export type EntriesParts = {
  pool: Pool
  db: Db
  fence: Fence
  market: TickSource
  book: OrderBook
  onOpened: (row: OrderRow) => void
  onError: (error: unknown) => void
}

/** Finds the entry of each accepted order: the first tick after it was accepted, as soon as that tick is committed. */
export type Entries = {
  /** Begins to look for an order that was just added to the book. */
  watch(order: BookOrder): void
  onFlush(flush: Flush): void
  /** Resolves when nothing is being looked up or stored. */
  idle(): Promise<void>
}

/** Stored with one statement. */
const saveMax = 500

export function createEntries({ pool, db, fence, market, book, onOpened, onError }: EntriesParts): Entries {
  const unsaved = new Map<string, BookOrder>()
  /** Orders of statements that failed with an unknown outcome. */
  const unsure = new WeakSet<BookOrder>()
  const saving = new Work()
  const searches = new Work()

  const found = (order: BookOrder, entry: SettleTick): void => {
    order.entry = entry
    book.stopWaiting(order)
    unsaved.set(order.row.id, order)
    if (!saving.busy) void saving.add(save())
  }

  const save = async (): Promise<void> => {
    try {
      // In the next turn, so that all entries of one flush are stored together.
      await Promise.resolve()
      while (unsaved.size > 0) await saveSome()
    } catch (error) {
      // They stay in line and go with the next flush's; settling does not wait for them.
      onError(error)
    }
  }

  const saveSome = async (): Promise<void> => {
    const some = [...unsaved.values()].slice(0, saveMax)
    const open = some.filter((order) => book.has(order.row.id))
    const entries = open.flatMap(({ row, entry }) => (entry ? [{ orderId: row.id, entry }] : []))
    const versions = await withRetry(() => openOrders({ pool, fence }, entries)).catch((error: unknown) => {
      if (!isRefusedByDatabase(error)) for (const order of open) unsure.add(order)
      throw error
    })
    const missing: BookOrder[] = []
    for (const order of some) {
      const version = versions.get(order.row.id)
      if (version === undefined && unsure.has(order)) {
        missing.push(order)
        continue
      }
      unsaved.delete(order.row.id)
      if (version === undefined || !order.entry) continue
      const { seq, at, price } = order.entry
      opened(order, { ...order.row, status: 'open', entrySeq: seq, entryAt: at, entryPrice: price, version })
    }
    await reportStored(missing)
  }

  const opened = (order: BookOrder, row: OrderRow): void => {
    if (!book.has(row.id)) return
    order.row = row
    onOpened(row)
  }

  /** Reports entries that an earlier statement stored, as the database has them. */
  const reportStored = async (orders: readonly BookOrder[]): Promise<void> => {
    const rows = await openOrdersOf(
      db,
      orders.map((order) => order.row.id),
    )
    const rowOf = new Map(rows.map((row) => [row.id, row]))
    for (const order of orders) {
      unsaved.delete(order.row.id)
      const row = rowOf.get(order.row.id)
      if (row) opened(order, row)
    }
  }

  /** What was committed between acceptance and now; flushes that come meanwhile are looked up too. */
  const searchPast = async (order: BookOrder): Promise<void> => {
    const { productId, acceptedAt } = order.row
    const limit = limitOf(order)
    let searchedTo = acceptedAt
    try {
      while (searchedTo < Math.min(limit, market.watermark(productId))) {
        const until = Math.min(limit, market.watermark(productId))
        const entry = await market.firstTick(productId, searchedTo, until)
        if (entry) return found(order, entry)
        searchedTo = until
      }
    } catch (error) {
      // Without it the order stays `accepted` until it is settled, from the log as ever.
      onError(error)
    } finally {
      order.searching = false
    }
  }

  return {
    watch: (order) => {
      if (order.entry || market.watermark(order.row.productId) <= order.row.acceptedAt) return
      order.searching = true
      void searches.add(searchPast(order))
    },
    onFlush: ({ at, blocks }) => {
      for (const block of blocks) {
        for (const order of book.waiting(block.id)) {
          if (order.searching) continue
          const entry = firstIn(block, order.row.acceptedAt, limitOf(order))
          if (entry) found(order, entry)
          else if (at >= limitOf(order)) book.stopWaiting(order)
        }
      }
      if (unsaved.size > 0 && !saving.busy) void saving.add(save())
    },
    idle: async () => {
      await searches.idle()
      await saving.idle()
    },
  }
}

/** The last instant at which an entry counts: ticks of another source never do. */
const limitOf = ({ row, dueAt }: BookOrder): number =>
  entryLimit(termsOf(row), { ...settleOrderOf(row), closeAt: dueAt })

/** The first tick of a run with after < at ≤ until. */
function firstIn({ values, seq0 }: MarketBlock, after: number, until: number): SettleTick | null {
  for (let i = 0; i + 2 < values.length; i += 3) {
    const at = values[i] ?? 0
    if (at > until) return null
    if (at > after) return { seq: seq0 + i / 3, at, price: values[i + 1] ?? 0 }
  }
  return null
}
