import { lt, or, sql } from 'drizzle-orm'
import type { AnyColumn, SQL } from 'drizzle-orm'
import { readCursor, writeCursor } from './cursor.ts'

export type Page = { limit: number; cursor?: string | undefined }
export type List<T> = { items: T[]; nextCursor: string | null }

/** Goes on below the row that a cursor names, in a list sorted by an instant and an id, both descending. */
export function below(at: AnyColumn, id: AnyColumn, page: Page): SQL | undefined {
  const after = readCursor(page.cursor)
  if (!after) return undefined
  return or(lt(at, after[0]), sql`(${at} = ${after[0]}::bigint AND ${id} < ${after[1]})`)
}

/** A page of rows that were read with a limit of one more than asked for: that one tells whether the list goes on. */
export function pageOf<Row, T>(
  rows: readonly Row[],
  limit: number,
  item: (row: Row) => T,
  key: (row: Row) => [number, string],
): List<T> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map(item),
    nextCursor: rows.length > limit && last !== undefined ? writeCursor(...key(last)) : null,
  }
}
