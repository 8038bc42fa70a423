import { describe, expect, it } from 'vitest'
import { FeedAnomalies } from '../../../server/market/anomalies.ts'

const flat = (prices: readonly number[]): number[] => prices.flatMap((price, i) => [i, price, 1])

describe('a jump', () => {
  it.each([
    ['ten times up', 100, [1000], 1],
    ['a tenth', 100, [10], 1],
    ['just less than ten times', 100, [999, 100], 0],
    ['just more than a tenth', 100, [11, 100], 0],
    ['there and back', 100, [1000, 100], 2],
    ['after no price at all', 0, [1_000_000], 0],
    ['within what one flush holds', 0, [100, 100, 2000], 1],
  ])('%s', (_, before, prices, jumped) => {
    const it = new FeedAnomalies(() => undefined)
    it.recordJumps('A', before, flat(prices))
    expect(it.jumped).toBe(jumped)
  })
})

it('the operator is told of the 1st, 2nd, 4th, 8th … of each product, with what it was', () => {
  const told: string[] = []
  const it = new FeedAnomalies((what) => void told.push(what))
  for (let i = 0; i < 9; i++) it.recordDropped('A', [1, 0, 1])
  it.recordDropped('B', [2, -1, 1])
  it.recordJumps('A', 100, flat([5000]))
  expect(it.dropped).toBe(10)
  expect(told).toEqual([
    ...[1, 2, 4, 8].map((n) => `A: a feed gave a tick that no log may hold, [1, 0, 1], ${n} so far`),
    'B: a feed gave a tick that no log may hold, [2, -1, 1], 1 so far',
    'A: a price jumped tenfold, from 100 to 5000, 1 so far',
  ])
})
