import { describe, expect, it } from 'vitest'
import {
  nextSort,
  sortItems,
  sortOf,
  type Sort,
  type SortColumns,
} from '../../../../src/features/lists/sorting.ts'

type Item = { name: string; amount: number }
const columns: SortColumns<Item> = {
  name: { compare: (a, b) => a.name.localeCompare(b.name), first: 'ascending' },
  amount: { compare: (a, b) => a.amount - b.amount, first: 'descending' },
}
/** Newest first. */
const items: readonly Item[] = [
  { name: 'B', amount: 5 },
  { name: 'A', amount: 20 },
  { name: 'B', amount: 100 },
  { name: 'C', amount: 20 },
]
const newestFirst: Sort = { column: 'time', direction: 'descending' }
const shown = (sort: Sort) => sortItems(items, sort, columns).map(({ name, amount }) => `${name}${amount}`)

describe('sortItems', () => {
  it('leaves what is newest first as it is', () => {
    expect(sortItems(items, newestFirst, columns)).toBe(items)
  })

  it.each<[Sort, string[]]>([
    [{ column: 'time', direction: 'ascending' }, ['C20', 'B100', 'A20', 'B5']],
    [{ column: 'amount', direction: 'descending' }, ['B100', 'A20', 'C20', 'B5']],
    [{ column: 'amount', direction: 'ascending' }, ['B5', 'A20', 'C20', 'B100']],
    [{ column: 'name', direction: 'descending' }, ['C20', 'B5', 'B100', 'A20']],
  ])('sorts by %o; equal ones stay newest first', (sort, expected) => {
    expect(shown(sort)).toEqual(expected)
  })
})

describe('nextSort', () => {
  it.each([
    ['amount', ['amount-descending', 'amount-ascending', 'time-descending']],
    ['name', ['name-ascending', 'name-descending', 'time-descending']],
    ['time', ['time-ascending', 'time-descending']],
  ])('a head of %s goes through its directions, and back to newest first', (column, expected) => {
    let sort = newestFirst
    const taps = expected.map(() => {
      sort = nextSort(sort, column, columns)
      return `${sort.column}-${sort.direction}`
    })
    expect(taps).toEqual(expected)
  })

  it('another column begins with its own first direction', () => {
    expect(nextSort({ column: 'amount', direction: 'ascending' }, 'name', columns)).toEqual({
      column: 'name',
      direction: 'ascending',
    })
  })
})

describe('sortOf', () => {
  it.each([null, '', 'amount', 'amount-up', 'other-ascending', 'constructor-ascending'])(
    'an address with %o is newest first',
    (text) => {
      expect(sortOf(text, columns)).toEqual(newestFirst)
    },
  )

  it('reads what the address has', () => {
    expect(sortOf('amount-ascending', columns)).toEqual({ column: 'amount', direction: 'ascending' })
    expect(sortOf('time-ascending', columns)).toEqual({ column: 'time', direction: 'ascending' })
  })
})
