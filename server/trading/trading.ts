import { isNull } from 'drizzle-orm'
import type { Order } from '../../contract/orders.ts'
import { onOwnSource } from '../../contract/settle.ts'
import { SettingsError } from '../config.ts'
import type { Database } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import type { BalanceRow } from '../db/schema/ledger.ts'
import { orders } from '../db/schema/order.ts'
import type { OrderRow } from '../db/schema/order.ts'
import { assetsOf, entryOf as ledgerEntryOf } from '../ledger/assets.ts'
import type { BusinessCalendar } from '../ledger/calendar.ts'
import type { MemberLimits } from '../limits/limits.ts'
import type { Clock, Market, MemberBus, Random } from '../ports.ts'
import type { Site } from '../site/siteStatus.ts'
import { OrderBook } from './book.ts'
import { createEntries } from './entries.ts'
import { createPlacement } from './placement.ts'
import type { Place } from './placement.ts'
import { entryOf, headNow, orderOf, settleOrderOf, termsOf } from './row.ts'
import { createSettlement } from './settlement.ts'

export type TradingParts = {
  database: Pick<Database, 'db' | 'pool'>
  fence: Fence
  clock: Clock
  random: Random
  calendar: BusinessCalendar
  market: Market
  site: Pick<Site, 'state'>
  bus: MemberBus
  limits: Pick<MemberLimits, 'refuseStake' | 'now'>
  /** Told of orders that are final, after the commit; must return at once. */
  onFinal?: (rows: readonly OrderRow[]) => void
  /** Told of failures that trading survives: what failed is tried again. */
  report: (what: string, error: unknown) => void
}

export type Trading = {
  place: Place
  /** An order as it stands now. */
  view: (row: OrderRow) => Order
  /**
   * Picks up the orders that are not settled and follows the market from then on.
   * @throws SettingsError where the product table lacks a product that has such orders
   */
  start(): Promise<void>
  /** Resolves when nothing is being looked up, stored or decided. */
  idle(): Promise<void>
  stop(): Promise<void>
}

/** After a statement whose outcome is unknown, the orders are read again this much later. */
const pickUpAgainMs = 1000

/** Timed orders: placing, entries, settlement. */
export function createTrading(parts: TradingParts): Trading {
  const { clock, calendar, market, bus, fence, report } = parts
  const { pool } = parts.database
  const book = new OrderBook()
  const view = (row: OrderRow): Order => orderOf(row, clock.now())
  const tellOrder = (row: OrderRow): void =>
    bus.emit(row.memberId, 'order', { ...view(row), head: headNow(market, row.productId) })
  const tellAssets = (balance: BalanceRow): void =>
    bus.emit(balance.memberId, 'assets', assetsOf(balance, calendar.dayOf(clock.now())))

  const entries = createEntries({
    pool,
    fence,
    market,
    book,
    onOpened: tellOrder,
    onError: (error) => report('storing entries failed', error),
  })
  const settlement = createSettlement({
    pool,
    fence,
    clock,
    calendar,
    market,
    book,
    onSettled: (rows, { postings, balances }) => {
      rows.forEach(tellOrder)
      for (const posting of postings) bus.emit(posting.memberId, 'ledger', ledgerEntryOf(posting))
      balances.forEach(tellAssets)
      parts.onFinal?.(rows)
    },
    onError: (error) => report('settling failed', error),
  })
  const follow = (row: OrderRow): void => {
    if (book.has(row.id)) return
    const dueAt = onOwnSource(termsOf(row), settleOrderOf(row), market.sources(row.productId)).closeAt
    const order = { row, dueAt, entry: entryOf(row), searching: false }
    book.add(order)
    entries.watch(order)
  }
  const pickUp = async (): Promise<void> => {
    const rows = await unsettled(parts.database)
    refuseMissing(market, rows)
    rows.forEach(follow)
    settlement.sweep()
  }
  const pickUpLater = (): void => {
    clock.at(clock.now() + pickUpAgainMs, () =>
      pickUp().catch((error: unknown) => {
        report('reading orders again failed', error)
        pickUpLater()
      }),
    )
  }

  const place = createPlacement({
    ...parts,
    pool,
    onPlaced: (rows, balance) => {
      for (const row of rows) {
        follow(row)
        tellOrder(row)
      }
      tellStakes(bus, rows, balance)
      tellAssets(balance)
      settlement.sweep()
    },
    onUnknown: (error) => {
      report('placing failed', error)
      pickUpLater()
    },
  })

  let leave = (): void => undefined
  return {
    place,
    view,
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
      leave()
      await settlement.stop()
      await entries.idle()
    },
  }
}

function unsettled({ db }: Pick<Database, 'db'>): Promise<OrderRow[]> {
  return db.select().from(orders).where(isNull(orders.settledAt)).orderBy(orders.closeAt)
}

function refuseMissing(market: Market, rows: readonly OrderRow[]): void {
  const missing = new Set(rows.map((row) => row.productId).filter((id) => !market.settings(id)))
  if (missing.size === 0) return
  throw new SettingsError(`PRODUCTS_FILE lacks products that have open orders: ${[...missing].join(', ')}`)
}

/** One line of the capital record per stake; the newest has the balance's version, the ones before it count down. */
function tellStakes(bus: MemberBus, rows: readonly OrderRow[], balance: BalanceRow): void {
  let availableAfter = balance.available + rows.reduce((sum, row) => sum + row.amount, 0)
  rows.forEach((row, i) => {
    availableAfter -= row.amount
    const line = {
      id: balance.version - rows.length + 1 + i,
      at: row.acceptedAt,
      type: 'stake' as const,
      amount: -row.amount,
      availableAfter,
      refKind: 'order',
      refId: row.id,
    }
    bus.emit(row.memberId, 'ledger', ledgerEntryOf(line))
  })
}
