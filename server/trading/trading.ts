import type { Order } from '../../contract/orders.ts'
import type { Database } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import type { BalanceRow } from '../db/schema/ledger.ts'
import type { OrderRow } from '../db/schema/order.ts'
import { toAssets, toLedgerEntry as ledgerEntryOf } from '../ledger/assets.ts'
import type { BusinessCalendar } from '../ledger/businessCalendar.ts'
import type { SelfLimitPolicy } from '../selfLimits/selfLimits.ts'
import type { Clock, Market, MemberBus, Random } from '../ports.ts'
import type { VenueStatusStore } from '../venueStatus/venueStatus.ts'
import { createPlacement } from './placement.ts'
import type { Place } from './placement.ts'
import type { OrderProcessor } from './processor.ts'
import { currentHead, toOrder } from './orderRow.ts'

export type TradingParts = {
  database: Pick<Database, 'db' | 'pool'>
  fence: Fence
  clock: Clock
  random: Random
  calendar: BusinessCalendar
  market: Market
  processor: OrderProcessor
  venueStatus: Pick<VenueStatusStore, 'state'>
  bus: MemberBus
  selfLimits: Pick<SelfLimitPolicy, 'assertStakeAllowed' | 'businessNow'>
  /** Called with final orders after the commit; must return at once. */
  onFinal?: (rows: readonly OrderRow[]) => void
  /** Reports failures that trading survives and retries. */
  report: (message: string, error: unknown) => void
}

export type Trading = {
  place: Place
  /** An order as of now, in the wire format. */
  view: (row: OrderRow) => Order
}

/** Timed orders for members: placing, and the events about their progress. */
export function createTrading(parts: TradingParts): Trading {
  const { clock, calendar, market, processor, bus, report } = parts
  const view = (row: OrderRow): Order => toOrder(row, clock.now())
  const publishOrder = (row: OrderRow): void =>
    bus.emit(row.memberId, 'order', { ...view(row), head: currentHead(market, row.productId) })
  const publishAssets = (balance: BalanceRow): void =>
    bus.emit(balance.memberId, 'assets', toAssets(balance, calendar.dayOf(clock.now())))

  processor.onOpened(publishOrder)
  processor.onSettled((rows, { postings, balances }) => {
    rows.forEach(publishOrder)
    for (const posting of postings) bus.emit(posting.memberId, 'ledger', ledgerEntryOf(posting))
    balances.forEach(publishAssets)
    parts.onFinal?.(rows)
  })
  const place = createPlacement({
    ...parts,
    pool: parts.database.pool,
    onPlaced: (rows, balance) => {
      // First, so that publishing does not delay the processor.
      processor.follow(rows)
      rows.forEach(publishOrder)
      publishStakes(bus, rows, balance)
      publishAssets(balance)
    },
    onUnknownOutcome: (error) => {
      report('placing failed', error)
      processor.recoverPlacements()
    },
  })
  return { place, view }
}

/** One entry of the capital record per stake; the newest has the balance's version, earlier ones count down from it. */
function publishStakes(bus: MemberBus, rows: readonly OrderRow[], balance: BalanceRow): void {
  let availableAfter = balance.available + rows.reduce((sum, row) => sum + row.amount, 0)
  rows.forEach((row, i) => {
    availableAfter -= row.amount
    const posting = {
      id: balance.version - rows.length + 1 + i,
      at: row.acceptedAt,
      type: 'stake' as const,
      amount: -row.amount,
      availableAfter,
      refKind: 'order',
      refId: row.id,
    }
    bus.emit(row.memberId, 'ledger', ledgerEntryOf(posting))
  })
}
