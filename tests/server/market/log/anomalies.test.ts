import { describe, expect, it } from 'vitest'
import { FeedAnomalies } from '../../../../server/market/log/anomalies.ts'

const flat = (prices: readonly number[]): number[] => prices.flatMap((price, i) => [i, price, 1])

describe('FeedAnomalies', () => {
  it.each([
    ['a rise to ten times the price', 100, [1000], 1],
    ['a fall to a tenth', 100, [10], 1],
    ['a rise to just less than ten times', 100, [999, 100], 0],
    ['a fall to just more than a tenth', 100, [11, 100], 0],
    ['a rise and the fall after it', 100, [1000, 100], 2],
    ['a first price', 0, [1_000_000], 0],
    ['a rise within one flush', 0, [100, 100, 2000], 1],
  ])('counts the jumps of %s', (_, before, prices, jumped) => {
    const anomalies = new FeedAnomalies(() => undefined)
    anomalies.recordJumps('A', before, flat(prices))
    expect(anomalies.jumped).toBe(jumped)
  })

  it('warns with details at the 1st, 2nd, 4th, 8th … anomaly of each product', () => {
    const warnings: string[] = []
    const anomalies = new FeedAnomalies((what) => void warnings.push(what))
    for (let i = 0; i < 9; i++) anomalies.recordDropped('A', [1, 0, 1])
    anomalies.recordDropped('B', [2, -1, 1])
    anomalies.recordJumps('A', 100, flat([5000]))
    expect(anomalies.dropped).toBe(10)
    expect(warnings).toEqual([
      ...[1, 2, 4, 8].map((n) => `A: invalid tick dropped, [1, 0, 1], ${n} so far`),
      'B: invalid tick dropped, [2, -1, 1], 1 so far',
      'A: price jumped tenfold, from 100 to 5000, 1 so far',
    ])
  })
})
