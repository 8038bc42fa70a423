import { and, asc, count, desc, eq, gt, lt, lte, min, sql, type AnyColumn } from 'drizzle-orm'
import { ledgerTypes, type LedgerType } from '../../../contract/ledger.ts'
import type { StatementMonth } from '../../../contract/statements.ts'
import { addMonths, businessDay, monthOf, startOfDay } from '../../../contract/time.ts'
import type { Db } from '../../platform/db/database.ts'
import { posting } from '../schema.ts'
import { selectPostings, type NumberedPosting } from '../ledger/postings.ts'

/** What a member had on each account, in minor units. */
export type Balances = { available: number; held: number; stakes: number; fund: number }
/** What the entries of one kind moved together, in minor units. */
export type KindTotal = { type: LedgerType; entries: number; available: number; held: number; fund: number }
/** One month of a member's capital record. Opening + Σ rows = closing, on each account. */
export type Statement = {
  month: string
  zone: string
  opening: Balances
  closing: Balances
  totals: readonly KindTotal[]
  /** In the order of the ledger, a page at a time, so that no month is ever in memory as a whole. */
  pages(): AsyncGenerator<readonly NumberedPosting[]>
}

/** How many rows are read and written at a time. */
const pageRows = 500

/** The months from a member's first posting to now, newest first. */
export async function listMonths(
  db: Db,
  memberId: string,
  zone: string,
  now: number,
): Promise<StatementMonth[]> {
  // Not the instant of the first posting: of two at once, the second may have the earlier one.
  const [first] = await db
    .select({ at: min(posting.at) })
    .from(posting)
    .where(eq(posting.memberId, memberId))
  if (!first || first.at === null) return []
  const [oldest, newest] = [monthOf(businessDay(first.at, zone)), monthOf(businessDay(now, zone))]
  const months: StatementMonth[] = []
  for (let month = newest; month >= oldest; month = addMonths(month, -1)) {
    months.push({ month, complete: month !== newest })
  }
  return months
}

/** The statement of a month; null if the member has none for it. What is posted from now on is not in it. */
export async function openStatement(
  db: Db,
  memberId: string,
  month: string,
  zone: string,
  now: number,
): Promise<Statement | null> {
  const months = await listMonths(db, memberId, zone, now)
  if (!months.some((listed) => listed.month === month)) return null
  const begin = startOfDay(`${month}-01`, zone)
  const end = startOfDay(`${addMonths(month, 1)}-01`, zone)
  const [before, last] = [
    await lastPostingBefore(db, memberId, begin),
    await lastPostingBefore(db, memberId, end),
  ]
  return {
    month,
    zone,
    opening: before.balances,
    closing: last.balances,
    totals: await totalsOf(db, memberId, before.id, last.id),
    pages: () => readPages(db, memberId, before.id, last.id),
  }
}

/**
 * The newest posting from before an instant, by its id. Months are divided by ids and not by instants, because two
 * postings at once may have instants in the reverse order: each is in exactly one month, and months join.
 */
async function lastPostingBefore(
  db: Db,
  memberId: string,
  at: number,
): Promise<{ id: number; balances: Balances }> {
  const [row] = await db
    .select({
      id: posting.id,
      available: posting.availableAfter,
      held: posting.heldAfter,
      stakes: posting.stakesAfter,
      fund: posting.fundAfter,
    })
    .from(posting)
    .where(and(eq(posting.memberId, memberId), lt(posting.at, at)))
    .orderBy(desc(posting.id))
    .limit(1)
  if (!row) return { id: 0, balances: { available: 0, held: 0, stakes: 0, fund: 0 } }
  const { id, ...balances } = row
  return { id, balances }
}

const within = (memberId: string, after: number, last: number) =>
  and(eq(posting.memberId, memberId), gt(posting.id, after), lte(posting.id, last))

async function totalsOf(db: Db, memberId: string, after: number, last: number): Promise<KindTotal[]> {
  const sum = (column: AnyColumn) => sql<number>`sum(${column})::bigint`.mapWith(Number)
  const rows = await db
    .select({
      type: posting.type,
      entries: count(),
      available: sum(posting.available),
      held: sum(posting.held),
      fund: sum(posting.fund),
    })
    .from(posting)
    .where(within(memberId, after, last))
    .groupBy(posting.type)
  return rows.sort((a, b) => ledgerTypes.indexOf(a.type) - ledgerTypes.indexOf(b.type))
}

async function* readPages(
  db: Db,
  memberId: string,
  after: number,
  last: number,
): AsyncGenerator<readonly NumberedPosting[]> {
  let cursor = after
  while (cursor < last) {
    const rows = await selectPostings(db)
      .where(within(memberId, cursor, last))
      .orderBy(asc(posting.id))
      .limit(pageRows)
    yield rows
    cursor = rows.at(-1)?.id ?? last
  }
}
