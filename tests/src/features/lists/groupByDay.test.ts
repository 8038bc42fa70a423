import { expect, it } from 'vitest'
import { groupByDay } from '../../../../src/features/lists/groupByDay.ts'

it('groups neighbouring items of a day in their order', () => {
  const items = [{ at: 21 }, { at: 20 }, { at: 10 }, { at: 22 }]
  const days = groupByDay(items, ({ at }) => String(Math.floor(at / 10)))
  expect(days.map(({ day, items }) => [day, items.map(({ at }) => at)])).toEqual([
    ['2', [21, 20]],
    ['1', [10]],
    ['2', [22]],
  ])
  expect(groupByDay([], String)).toEqual([])
})
