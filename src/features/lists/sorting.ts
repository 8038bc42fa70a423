import { useMemo } from 'react'
import type { Language } from '../../../contract/constants.ts'
import { useQuery } from '../../router/useQuery.ts'
import type { HeadSort, SortDirection } from '../../ui/index.ts'

/** A column by which a list can be sorted. */
export type SortColumn<T> = {
  /** Smallest first. */
  compare: (a: T, b: T) => number
  /** The direction of the first tap: text begins with A, figures with the largest. */
  first: SortDirection
}

/** The columns of a list by name. `time` needs none: the venue lists newest first. */
export type SortColumns<T> = Readonly<Record<string, SortColumn<T>>>

/** A column of figures. */
export const figureColumn = <T>(figureOf: (item: T) => number): SortColumn<T> => ({
  compare: (a, b) => figureOf(a) - figureOf(b),
  first: 'descending',
})

/** A column of text, in the order of a language. */
export function textColumn<T>(language: Language, textOf: (item: T) => string): SortColumn<T> {
  const { compare } = new Intl.Collator(language, { numeric: true })
  return { compare: (a, b) => compare(textOf(a), textOf(b)), first: 'ascending' }
}

export type Sort = { column: string; direction: SortDirection }

const newestFirst: Sort = { column: 'time', direction: 'descending' }

const firstOf = <T>(columns: SortColumns<T>, column: string): SortDirection | undefined =>
  column === newestFirst.column ? newestFirst.direction : columns[column]?.first

/** The order in the address: `amount-descending`; newest first if it has none. */
export function sortOf<T>(text: string | null, columns: SortColumns<T>): Sort {
  const [column = '', direction] = text?.split('-') ?? []
  if (firstOf(columns, column) === undefined) return newestFirst
  return direction === 'ascending' || direction === 'descending' ? { column, direction } : newestFirst
}

/** The order after a tap on a column's head: its first direction, the other one, and then newest first again. */
export function nextSort<T>(sort: Sort, column: string, columns: SortColumns<T>): Sort {
  const first = firstOf(columns, column) ?? newestFirst.direction
  if (sort.column !== column) return { column, direction: first }
  if (sort.direction !== first) return newestFirst
  return { column, direction: first === 'ascending' ? 'descending' : 'ascending' }
}

/** Sorts items that are newest first; equal ones stay newest first. */
export function sortItems<T>(
  items: readonly T[],
  { column, direction }: Sort,
  columns: SortColumns<T>,
): readonly T[] {
  if (column === newestFirst.column) return direction === 'descending' ? items : [...items].reverse()
  const { compare } = columns[column] ?? { compare: () => 0 }
  return [...items].sort(direction === 'ascending' ? compare : (a, b) => compare(b, a))
}

/** How a list is sorted, stored in the address. */
export type Sorting = {
  sort: Sort
  /** The list is not newest first. */
  isSorted: boolean
  /** Its days follow each other. */
  isByTime: boolean
  /** For the head of a column. */
  head: (column: string) => HeadSort
  reset: () => void
}

/** The order of a list's loaded items. `columns` must be stable. */
export function useSorting<T>(
  items: readonly T[],
  columns: SortColumns<T>,
): Sorting & { shown: readonly T[] } {
  const [query, setQuery] = useQuery()
  const text = query.get('sort')
  const sort = useMemo(() => sortOf(text, columns), [text, columns])
  const shown = useMemo(() => sortItems(items, sort, columns), [items, sort, columns])
  const isByTime = sort.column === newestFirst.column
  const isSorted = !isByTime || sort.direction !== newestFirst.direction
  const reset = (): void => setQuery({ sort: undefined })
  const sortBy = (column: string): void => {
    const next = nextSort(sort, column, columns)
    setQuery({ sort: next === newestFirst ? undefined : `${next.column}-${next.direction}` })
  }
  return {
    sort,
    shown,
    isSorted,
    isByTime,
    head: (column) => ({
      sorted: sort.column === column ? sort.direction : undefined,
      onSort: () => sortBy(column),
    }),
    reset,
  }
}
