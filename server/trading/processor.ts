import { isNull } from 'drizzle-orm'
import { onOwnSource } from '../../contract/settle.ts'
import type { Database } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import { orders } from '../db/schema/order.ts'
import type { OrderRow } from '../db/schema/order.ts'
import type { BusinessCalendar } from '../ledger/calendar.ts'
import { Listeners } from '../market/listeners.ts'
import type { Clock, TickSource } from '../ports.ts'
import { OrderBook } from './book.ts'
import { createEntries } from './entries.ts'
import { createPickUps } from './pickUps.ts'
import { entryOf, settleOrderOf, termsOf } from './row.ts'
import { createSettlement } from './settlement.ts'
import type { Moved } from './settleStatement.ts'
import { refuseMissing } from './sourceChange.ts'

export type OrderProcessorParts = {
  database: Pick<Database, 'db' | 'pool'>
  fence: Fence
  clock: Clock
  calendar: BusinessCalendar
  market: TickSource
  /** Reports failures that it survives: what failed is tried again. */
  report: (what: string, error: unknown) => void
}

/** Finds entries and settles orders. It lives beside the tick log, so that no call of a client delays it. */
export type OrderProcessor = {
  /** Follows orders that were just placed. */
  follow(rows: readonly OrderRow[]): void
  /** Reads the unsettled orders again for as long as a placement whose outcome is unknown may still be committed. */
  pickUpLater(): void
  /** After an order has its entry stored. */
  onOpened(listener: (row: OrderRow) => void): () => void
  /** After orders are final and the money has moved. */
  onSettled(listener: (rows: readonly OrderRow[], moved: Moved) => void): () => void
}

export type RunningOrderProcessor = OrderProcessor & {
  /**
   * Picks up the orders that are not settled and follows the market from then on.
   * @throws SettingsError if the product table lacks a product that has such orders
   */
  start: () => Promise<void>
  /** Resolves when nothing is being looked up, stored or decided. */
  idle: () => Promise<void>
  stop: () => Promise<void>
}

export function createOrderProcessor(parts: OrderProcessorParts): RunningOrderProcessor {
  const { fence, clock, calendar, market, report } = parts
  const { pool, db } = parts.database
  const book = new OrderBook()
  const opened = new Listeners<[OrderRow]>('a listener of entries failed', report)
  const settled = new Listeners<[readonly OrderRow[], Moved]>('a listener of results failed', report)
  const entries = createEntries({
    pool,
    db,
    fence,
    market,
    book,
    onOpened: (row) => opened.notify(row),
    onError: (error) => report('storing entries failed', error),
  })
  const settlement = createSettlement({
    pool,
    db,
    fence,
    clock,
    calendar,
    market,
    book,
    onSettled: (rows, { postings, balances }) => settled.notify(rows, { postings, balances }),
    onError: (error) => report('settling failed', error),
  })
  const follow = (rows: readonly OrderRow[]): void => {
    for (const row of rows) {
      if (book.has(row.id)) continue
      const { closeAt: dueAt } = onOwnSource(termsOf(row), settleOrderOf(row), market.sources(row.productId))
      const order = { row, dueAt, entry: entryOf(row), searching: false }
      book.add(order)
      entries.watch(order)
    }
    settlement.sweep()
  }
  let stopped = false
  const pickUp = async (): Promise<void> => {
    const rows = await unsettled(parts.database, settled)
    if (stopped) return
    refuseMissing(
      rows.map((row) => row.productId),
      (id) => market.settings(id) !== undefined,
    )
    follow(rows)
  }
  const pickUps = createPickUps({ clock, pickUp, report })
  let leave = (): void => undefined
  return {
    follow,
    pickUpLater: () => pickUps.expect(),
    onOpened: (listener) => opened.add(listener),
    onSettled: (listener) => settled.add(listener),
    start: async () => {
      leave = market.onFlush((flush) => {
        entries.onFlush(flush)
        settlement.sweep()
      })
      await pickUp()
    },
    idle: async () => {
      await entries.idle()
      await settlement.idle()
    },
    stop: async () => {
      stopped = true
      pickUps.stop()
      leave()
      await settlement.stop()
      await entries.idle()
    },
  }
}

/** Without those that are settled while the rows are read: they have left the book and must not come back into it. */
async function unsettled(
  { db }: Pick<Database, 'db'>,
  settled: Listeners<[readonly OrderRow[], Moved]>,
): Promise<OrderRow[]> {
  const left = new Set<string>()
  const forget = settled.add((final) => final.forEach((row) => left.add(row.id)))
  try {
    const rows = await db.select().from(orders).where(isNull(orders.settledAt)).orderBy(orders.closeAt)
    return rows.filter((row) => !left.has(row.id))
  } finally {
    forget()
  }
}
