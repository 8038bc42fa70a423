import { and, desc, eq, gte, lt } from 'drizzle-orm'
import { minor, epochMs } from '../../../contract/units.ts'
import type { FundLot, FundRecord, fundRoutes } from '../../../contract/fund.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { RouteReply } from '../../../contract/route.ts'
import { addDays, dayMs } from '../../../contract/time.ts'
import { readCursor, readDayCursor, writeCursor } from '../../platform/cursor.ts'
import type { Db } from '../../platform/db/database.ts'
import { fundEarning, fundLot, fundRecord } from '../schema.ts'
import { toPagedList, type PagedList, type PageRequest } from '../../platform/paging.ts'
import { formatPer10k } from './fundConfig.ts'
import { weekDays, weekRateBp, type Rates } from './rates.ts'

/** Lots with their dates, newest first; a consumed lot stays in the list with nothing remaining. */
export async function listLots(db: Db, memberId: string, page: PageRequest): Promise<PagedList<FundLot>> {
  const after = readCursor(page.cursor)
  const rows = await db
    .select()
    .from(fundLot)
    .where(and(eq(fundLot.memberId, memberId), after ? lt(fundLot.no, after[0]) : undefined))
    .orderBy(desc(fundLot.no))
    .limit(page.limit + 1)
  return toPagedList(rows, page.limit, lotOf, ({ no }) => [no, ''])
}

/** Transfers and earnings, newest first. */
export async function listRecords(
  db: Db,
  memberId: string,
  page: PageRequest,
): Promise<PagedList<FundRecord>> {
  const after = readCursor(page.cursor)
  const rows = await db
    .select()
    .from(fundRecord)
    .where(and(eq(fundRecord.memberId, memberId), after ? lt(fundRecord.no, after[0]) : undefined))
    .orderBy(desc(fundRecord.no))
    .limit(page.limit + 1)
  return toPagedList(rows, page.limit, recordOf, ({ no }) => [no, ''])
}

/** Earnings by day, newest first; `month` as `YYYY-MM`. */
export async function listEarnings(
  db: Db,
  memberId: string,
  page: PageRequest & { month?: string | undefined },
): Promise<RouteReply<(typeof fundRoutes)['fundEarnings']>> {
  const { onDay } = fundEarning
  const after = readDayCursor(page.cursor)
  const { month } = page
  const rows = await db
    .select()
    .from(fundEarning)
    .where(
      and(
        eq(fundEarning.memberId, memberId),
        after === null ? undefined : lt(onDay, after),
        month === undefined ? undefined : and(gte(onDay, `${month}-01`), lt(onDay, `${month}-99`)),
      ),
    )
    .orderBy(desc(onDay))
    .limit(page.limit + 1)
  const itemOf = (row: typeof fundEarning.$inferSelect) => ({
    on: row.onDay,
    amount: formatMoney(minor(row.amount)),
    confirmed: formatMoney(minor(row.confirmed)),
    per10k: formatPer10k(row.per10k),
  })
  return toPagedList(rows, page.limit, itemOf, (row) => [0, row.onDay])
}

const ratesDefaultDays = 365

/** Published rates of past days, newest first, each with the annual rate of the week up to it. */
export async function listRates(
  parts: { db: Db; rates: Rates; today: string },
  page: PageRequest & { days?: number | undefined },
): Promise<RouteReply<(typeof fundRoutes)['fundRates']>> {
  const yesterday = addDays(parts.today, -1)
  const oldest = addDays(yesterday, 1 - (page.days ?? ratesDefaultDays))
  const after = readDayCursor(page.cursor)
  const newest = after !== null && after <= yesterday ? addDays(after, -1) : yesterday
  const count = dayCount(oldest, newest)
  const shown = Math.max(0, Math.min(page.limit, count))
  const units = await parts.rates.until(parts.db, newest, shown + weekDays)
  const items = Array.from({ length: shown }, (_, back) => ({
    on: addDays(newest, -back),
    per10k: formatPer10k(units[back] ?? 0),
    rate7dBp: weekRateBp(units, back),
  }))
  return { items, nextCursor: count > shown ? writeCursor(0, items.at(-1)?.on ?? oldest) : null }
}

const dayCount = (first: string, last: string): number =>
  Math.round((Date.parse(last) - Date.parse(first)) / dayMs) + 1

function lotOf(row: typeof fundLot.$inferSelect): FundLot {
  return {
    id: row.id,
    kind: row.kind,
    amount: formatMoney(minor(row.amount)),
    remaining: formatMoney(minor(row.remaining)),
    status: row.status,
    depositedAt: epochMs(row.depositedAt),
    depositedOn: row.madeOn,
    confirmOn: row.confirmOn,
    firstEarningOn: row.confirmOn,
    firstCreditOn: addDays(row.confirmOn, 1),
  }
}

export function recordOf(row: Omit<typeof fundRecord.$inferSelect, 'no'>): FundRecord {
  return {
    id: row.id,
    at: epochMs(row.at),
    madeOn: row.madeOn,
    kind: row.kind,
    mode: row.mode,
    amount: formatMoney(minor(row.amount)),
    status: row.status,
    onDay: row.onDay,
  }
}
