import { expect, it } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import { justSettled$ } from '../../../../src/pages/product/justSettled.ts'
import type { EndedOrder } from '../../../../streams/index.ts'
import { marblesWith } from '../../../support/marbles.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'

const exit = { seq: 9, at: epochMs(1_030_000), price: '101.00' }
const ended = (id: string, noticedAt: number, settled = true): EndedOrder => ({
  order: sampleOrder({ id, productId: id === 'z' ? 'B' : 'A', exit: settled ? exit : null }),
  noticedAt,
})

/** Which orders are shown, and from when on, ms. */
function shownAt(line: string, lists: Record<string, EndedOrder[]>): string[] {
  const shown: string[] = []
  marblesWith(({ hot, flush }, scheduler) => {
    justSettled$(hot(line, lists), 'A', () => scheduler.now(), scheduler).subscribe((orders) =>
      shown.push(`${scheduler.now()} ${orders.map(({ id }) => id).join('')}`),
    )
    flush()
  })
  return shown
}

it('shows each result for ten seconds', () => {
  const lists = { a: [ended('a', 1)], b: [ended('a', 1), ended('b', 4001)] }
  expect(shownAt('-a 3999ms b', lists)).toEqual(['1 a', '4001 ab', '10001 b', '14001 '])
})

it('shows none of another product, none that was refunded, and none that was learned of before', () => {
  const lists = { a: [ended('z', 1), ended('r', 1, false)], b: [ended('old', -9999), ended('a', 2)] }
  expect(shownAt('-ab', lists)).toEqual(['1 ', '2 a', '10002 '])
})
