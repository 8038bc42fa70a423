import { memberRoutes } from '../../contract/member.ts'
import type { User } from '../../contract/member.ts'
import { csv } from '../csv.ts'
import type { Cell } from '../csv.ts'
import { exportRange } from '../http/downloads.ts'
import { mount } from '../http/mount.ts'
import type { Module } from '../module.ts'
import type { PagedList, PageRequest } from '../paging.ts'
import type { Clock } from '../ports.ts'
import { zipPieces } from './zipPieces.ts'
import type { ArchiveFile } from './zipPieces.ts'

/** A list of what a member has, newest first. */
export type OwnList<T extends object = object> = {
  /** Of its two files, without the ending. */
  name: string
  list(memberId: string, page: PageRequest): Promise<PagedList<T>>
  /** The instant by which the time span selects. */
  at(item: T): number
  columns: readonly (keyof T & string)[]
}
/** Keeps the type of an item between the fields of its list. */
export const ownList = <T extends object>(of: OwnList<T>): OwnList => of as unknown as OwnList

type Parts = {
  clock: Pick<Clock, 'now'>
  user(memberId: string): Promise<User>
  lists: readonly OwnList[]
}
type Span = { from: number; to: number }

/** A member's own data as one archive: JSON for programs, CSV for people. */
export function createOwnData(parts: Parts): Module {
  const { clock, user, lists } = parts
  return {
    mount: (app) =>
      mount(app, memberRoutes.exportData, async ({ member, query, reply }) => {
        const { downloads } = app.requestContext
        const { memberId } = member
        const span = exportRange(query, clock.now())
        const profile = await user(memberId)
        const files: ArchiveFile[] = [
          { name: 'profile.json', pieces: once(`${JSON.stringify(profile, null, 2)}\n`) },
          ...lists.flatMap((list) => [
            { name: `${list.name}.json`, pieces: jsonPieces(pagesOf(list, memberId, span)) },
            { name: `${list.name}.csv`, pieces: csvPieces(list, pagesOf(list, memberId, span)) },
          ]),
        ]
        const pieces = zipPieces(files, clock.now())
        return downloads.stream({ member, reply }, { name: 'my-data.zip', type: 'application/zip', pieces })
      }),
  }
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}

const pageRows = 100

/** The items of the span, page by page. */
async function* pagesOf(list: OwnList, memberId: string, { from, to }: Span): AsyncGenerator<object[]> {
  let cursor: string | null = null
  do {
    const page: PageRequest = { limit: pageRows, ...(cursor !== null && { cursor }) }
    const { items, nextCursor }: PagedList<object> = await list.list(memberId, page)
    yield items.filter((item) => list.at(item) >= from && list.at(item) <= to)
    const oldest = items.at(-1)
    cursor = oldest !== undefined && list.at(oldest) < from ? null : nextCursor
  } while (cursor !== null)
}

async function* jsonPieces(pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const items of pages) {
    if (items.length === 0) continue
    yield `${separator}${items.map((item) => JSON.stringify(item)).join(',\n')}`
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

async function* rowsOf(
  columns: readonly string[],
  pages: AsyncIterable<readonly object[]>,
): AsyncGenerator<Cell[][]> {
  for await (const items of pages) {
    yield items.map((item) => columns.map((name) => cellOf(name, (item as Record<string, unknown>)[name])))
  }
}

const csvPieces = ({ columns }: OwnList, pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> =>
  csv(columns, rowsOf(columns, pages))

/** Times as ISO 8601; what has fields of its own as JSON. */
function cellOf(name: string, value: unknown): Cell {
  if (value === null || value === undefined) return null
  if (typeof value === 'number') return /(^at|At)$/.test(name) ? new Date(value).toISOString() : value
  return typeof value === 'string' ? value : JSON.stringify(value)
}
