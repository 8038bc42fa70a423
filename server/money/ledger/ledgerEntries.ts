import { and, desc, eq, gte, lt, lte, type SQL } from 'drizzle-orm'
import type { LedgerEntry, LedgerFilters } from '../../../contract/ledger.ts'
import { csv, isoTime, type Cell } from '../../platform/csv.ts'
import { readCursor, writeCursor } from '../../platform/cursor.ts'
import type { Db } from '../../platform/db/database.ts'
import { posting } from '../schema.ts'
import { pagesByCursor, type PagedList, type PageRequest } from '../../platform/paging.ts'
import { toLedgerEntry } from './assets.ts'
import { selectPostings } from './postings.ts'

/** How many rows of a file are read and written at a time. */
const filePageRows = 500

/** The capital record, newest first. A page starts after the cursor's id, so new entries never shift it. */
export async function listLedgerEntries(
  db: Db,
  memberId: string,
  filters: LedgerFilters,
  page: PageRequest,
): Promise<PagedList<LedgerEntry>> {
  const after = readCursor(page.cursor)
  const rows = await selectPostings(db)
    .where(and(...conditions(memberId, filters), after ? lt(posting.id, after[0]) : undefined))
    .orderBy(desc(posting.id))
    .limit(page.limit + 1)
  const items = rows.slice(0, page.limit)
  const last = items.at(-1)
  return {
    items: items.map(toLedgerEntry),
    nextCursor: rows.length > page.limit && last ? writeCursor(last.id, '') : null,
  }
}

/** The capital record as CSV, newest first, in chunks that are read from the database on demand. */
export function ledgerEntriesCsv(db: Db, memberId: string, filters: LedgerFilters): AsyncGenerator<string> {
  const header = [
    'id',
    'at',
    'type',
    'amount',
    'balanceAfter',
    'refKind',
    'refId',
    'no',
    'productId',
    'held',
    'fund',
  ]
  return csv(header, rowPages(db, memberId, filters))
}

async function* rowPages(db: Db, memberId: string, filters: LedgerFilters): AsyncGenerator<Cell[][]> {
  const read = (page: PageRequest) => listLedgerEntries(db, memberId, filters, page)
  for await (const { items } of pagesByCursor(filePageRows, read)) {
    yield items.map(({ id, at, type, amount, balanceAfter, held, fund, ref }) => [
      id,
      isoTime(at),
      type,
      amount,
      balanceAfter,
      ref.kind,
      ref.id,
      ref.no,
      ref.productId,
      held,
      fund,
    ])
  }
}

function conditions(memberId: string, { type, from, to }: LedgerFilters): SQL[] {
  return [
    eq(posting.memberId, memberId),
    ...(type === undefined ? [] : [eq(posting.type, type)]),
    ...(from === undefined ? [] : [gte(posting.at, from)]),
    ...(to === undefined ? [] : [lte(posting.at, to)]),
  ]
}
