import { and, desc, eq, gte, lt, lte } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { LedgerEntry, LedgerFilters } from '../../contract/session.ts'
import { csv, isoTime } from '../csv.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import type { Db } from '../db/database.ts'
import { posting } from '../db/schema/ledger.ts'
import { entryOf } from './assets.ts'

type Page = { limit: number; cursor?: string | undefined }
type EntryList = { items: LedgerEntry[]; nextCursor: string | null }

/** Rows read at a time for a file, so that a long record never stands in memory twice. */
const csvPageRows = 1000

/** The capital record, newest first; a page goes on below the last id given, so new entries never shift it. */
export async function listEntries(
  db: Db,
  memberId: string,
  filters: LedgerFilters,
  page: Page,
): Promise<EntryList> {
  const after = readCursor(page.cursor)
  const rows = await db
    .select()
    .from(posting)
    .where(and(...conditions(memberId, filters), after ? lt(posting.id, after[0]) : undefined))
    .orderBy(desc(posting.id))
    .limit(page.limit + 1)
  const items = rows.slice(0, page.limit)
  const last = items.at(-1)
  return {
    items: items.map(entryOf),
    nextCursor: rows.length > page.limit && last ? writeCursor(last.id, '') : null,
  }
}

/** The whole capital record as CSV, newest first. */
export async function entriesCsv(db: Db, memberId: string, filters: LedgerFilters): Promise<string> {
  const entries: LedgerEntry[] = []
  let cursor: string | null | undefined
  do {
    const page = { limit: csvPageRows, ...(cursor && { cursor }) }
    const list = await listEntries(db, memberId, filters, page)
    entries.push(...list.items)
    cursor = list.nextCursor
  } while (cursor !== null)
  return csv(
    ['id', 'at', 'type', 'amount', 'balanceAfter', 'refKind', 'refId'],
    entries.map(({ id, at, type, amount, balanceAfter, ref }) => [
      id,
      isoTime(at),
      type,
      amount,
      balanceAfter,
      ref.kind,
      ref.id,
    ]),
  )
}

function conditions(memberId: string, { type, from, to }: LedgerFilters): SQL[] {
  return [
    eq(posting.memberId, memberId),
    ...(type === undefined ? [] : [eq(posting.type, type)]),
    ...(from === undefined ? [] : [gte(posting.at, from)]),
    ...(to === undefined ? [] : [lte(posting.at, to)]),
  ]
}
