import { and, eq, lt, or, sql, type AnyColumn, type SQL } from 'drizzle-orm'
import { readCursor, writeCursor } from './cursor.ts'

export type PageRequest = { limit: number; cursor?: string | undefined }
/** Of a list of requests that members made and the office decides: those in a state, or of one member. */
export type ReviewFilter<Status> = { status?: Status | undefined; memberId?: string | undefined }
export type PagedList<T> = { items: T[]; nextCursor: string | null }

/** The condition for rows after the cursor, in a list sorted by an instant and an id, both descending. */
export function belowCursor(at: AnyColumn, id: AnyColumn, page: PageRequest): SQL | undefined {
  const after = readCursor(page.cursor)
  if (!after) return undefined
  return or(lt(at, after[0]), sql`(${at} = ${after[0]}::bigint AND ${id} < ${after[1]})`)
}

type ReviewColumns = Record<'status' | 'memberId' | 'id', AnyColumn>

/** The condition for a page of requests that the office decides; `at` is when they were made. */
export function matchesReview<Status>(
  { status, memberId, id }: ReviewColumns,
  at: AnyColumn,
  filter: ReviewFilter<Status>,
  page: PageRequest,
): SQL | undefined {
  return and(
    filter.status === undefined ? undefined : eq(status, filter.status),
    filter.memberId === undefined ? undefined : eq(memberId, filter.memberId),
    belowCursor(at, id, page),
  )
}

/** A page of rows that were read with a limit of one more than requested: the extra row shows whether there are more. */
export function toPagedList<Row, T>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => T,
  toKey: (row: Row) => [number, string],
): PagedList<T> {
  const pageRows = rows.slice(0, limit)
  const last = pageRows.at(-1)
  return {
    items: pageRows.map(toItem),
    nextCursor: rows.length > limit && last !== undefined ? writeCursor(...toKey(last)) : null,
  }
}

/** All rows of a list, a page of `size` at a time. `read` returns those after a row, or the first ones. */
export async function* pagesByRow<Row>(
  size: number,
  read: (after: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let after: Row | undefined
  for (;;) {
    const rows = await read(after)
    yield rows
    if (rows.length < size) return
    after = rows.at(-1)
  }
}

/** All pages of a list with `limit` items each, from its first to its last cursor. */
export async function* pagesByCursor<Page extends { nextCursor: string | null }>(
  limit: number,
  read: (request: PageRequest) => Promise<Page>,
): AsyncGenerator<Page> {
  let cursor: string | null = null
  do {
    const page: Page = await read({ limit, ...(cursor !== null && { cursor }) })
    yield page
    cursor = page.nextCursor
  } while (cursor !== null)
}
