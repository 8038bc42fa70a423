import { and, desc, eq, gte, inArray, isNotNull, lte, sql, type SQL } from 'drizzle-orm'
import { finalStatuses, type Order, type OrderFilters } from '../../../contract/orders.ts'
import { csv, isoTime, type Cell } from '../../platform/csv.ts'
import { readCursor, writeCursor } from '../../platform/cursor.ts'
import type { Db } from '../../platform/db/database.ts'
import { orders, type OrderRow } from '../schema.ts'
import { pagesByCursor, type PageRequest } from '../../platform/paging.ts'

/** How many rows of a file are read and written at a time. */
const filePageRows = 500

/** The time that a list is sorted and filtered by: closed orders by settlement, all others by acceptance. */
const timeOf = ({ tab }: OrderFilters) => (tab === 'closed' ? orders.settledAt : orders.acceptedAt)

/** A member's orders, newest first. A page starts after the cursor's order, so new orders never shift it. */
export async function listOrders(
  db: Db,
  memberId: string,
  filters: OrderFilters,
  page: PageRequest,
): Promise<{ rows: OrderRow[]; nextCursor: string | null }> {
  const after = readCursor(page.cursor)
  // A row comparison, so that the index is entered at this row instead of read from its beginning.
  const time = timeOf(filters)
  const belowCursor = after && sql`(${time}, ${orders.id}) < (${after[0]}::bigint, ${after[1]})`
  const rowsAndNext = await db
    .select()
    .from(orders)
    .where(and(...conditions(memberId, filters), belowCursor ?? undefined))
    .orderBy(desc(time), desc(orders.id))
    .limit(page.limit + 1)
  const rows = rowsAndNext.slice(0, page.limit)
  const last = rows.at(-1)
  const hasMore = rowsAndNext.length > page.limit && last
  const lastAt = last && (filters.tab === 'closed' ? (last.settledAt ?? 0) : last.acceptedAt)
  return { rows, nextCursor: hasMore && lastAt !== undefined ? writeCursor(lastAt, last.id) : null }
}

/** A member's orders as CSV, newest first, in chunks that are read from the database on demand. */
export function ordersCsv(
  db: Db,
  memberId: string,
  filters: OrderFilters,
  view: (row: OrderRow) => Order,
): AsyncGenerator<string> {
  return csv(Object.keys(columns), rowPages(db, memberId, filters, view))
}

async function* rowPages(
  db: Db,
  memberId: string,
  filters: OrderFilters,
  view: (row: OrderRow) => Order,
): AsyncGenerator<Cell[][]> {
  const read = (page: PageRequest) => listOrders(db, memberId, filters, page)
  for await (const { rows } of pagesByCursor(filePageRows, read)) {
    yield rows.map((row) => {
      const order = view(row)
      return Object.values(columns).map((cell) => cell(order))
    })
  }
}

/**
 * Every field of an order; nested fields become columns named after both. The headings are the API's field names in
 * every language, so that a script reads every member's file alike.
 */
const columns = {
  id: (order) => order.id,
  no: (order) => order.no,
  key: (order) => order.key,
  productId: (order) => order.productId,
  direction: (order) => order.direction,
  amount: (order) => order.amount,
  seconds: (order) => order.seconds,
  rateBp: (order) => order.rateBp,
  status: (order) => order.status,
  acceptedAt: (order) => isoTime(order.acceptedAt),
  closeAt: (order) => isoTime(order.closeAt),
  entrySeq: (order) => order.entry?.seq ?? null,
  entryAt: (order) => isoTime(order.entry?.at ?? null),
  entryPrice: (order) => order.entry?.price ?? null,
  exitSeq: ({ exit }) => (exit && 'seq' in exit ? exit.seq : null),
  exitAt: ({ exit }) => isoTime(exit && 'at' in exit ? exit.at : null),
  exitPrice: ({ exit }) => (exit && 'price' in exit ? exit.price : null),
  settledAt: (order) => isoTime(order.settledAt),
  payout: (order) => order.payout,
  pnl: (order) => order.pnl,
  reason: (order) => order.reason,
  version: (order) => order.version,
  termsRule: (order) => order.terms.rule,
  termsPriceDecimals: (order) => order.terms.priceDecimals,
  termsRateBp: (order) => order.terms.rateBp,
  termsEntryTimeoutMs: (order) => order.terms.entryTimeoutMs,
  termsMaxTickGapMs: (order) => order.terms.maxTickGapMs,
  termsSource: (order) => order.terms.source,
  exitValue: ({ exit }) => (exit && 'value' in exit ? exit.value : null),
  exitTicks: ({ exit }) => (exit && 'value' in exit ? exit.ticks : null),
  exitFrom: ({ exit }) => (exit && 'value' in exit ? exit.from : null),
  exitTo: ({ exit }) => (exit && 'value' in exit ? exit.to : null),
  termsEntryDelayMs: ({ terms }) => (terms.rule === 'R2' ? terms.entryDelayMs : null),
  termsExitWindowMs: ({ terms }) => (terms.rule === 'R2' ? terms.exitWindowMs : null),
  termsExitCutBp: ({ terms }) => (terms.rule === 'R2' ? terms.exitCutBp : null),
  termsExitMinTicks: ({ terms }) => (terms.rule === 'R2' ? terms.exitMinTicks : null),
} satisfies Record<string, (order: Order) => string | number | null>

function conditions(memberId: string, filters: OrderFilters): SQL[] {
  const { tab, productId, direction, result, from, to } = filters
  const tabs = { records: null, positions: ['accepted', 'open'] as const, closed: finalStatuses }
  const statuses = tab && tabs[tab]
  return [
    eq(orders.memberId, memberId),
    // Besides the statuses, so that the index of closed orders is used.
    ...(tab === 'closed' ? [isNotNull(orders.settledAt)] : []),
    ...(statuses ? [inArray(orders.status, [...statuses])] : []),
    ...(productId === undefined ? [] : [eq(orders.productId, productId)]),
    ...(direction === undefined ? [] : [eq(orders.direction, direction)]),
    ...(result === undefined ? [] : [eq(orders.status, result)]),
    ...(from === undefined ? [] : [gte(timeOf(filters), from)]),
    ...(to === undefined ? [] : [lte(timeOf(filters), to)]),
  ]
}
