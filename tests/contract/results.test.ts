import { describe, expect, it } from 'vitest'
import { breakEvenShareBp, sharesMinOrders, sharesOf, wilsonInterval } from '../../contract/results.ts'
import { fc } from '../support/fastCheck.ts'

describe('wilsonInterval', () => {
  // Computed apart from the code: the roots of (p − right/count)² = z² p (1 − p) / count.
  it.each([
    [0, 30, 0, 1135],
    [1, 30, 59, 1667],
    [10, 30, 1923, 5122],
    [15, 30, 3315, 6685],
    [30, 30, 8865, 10_000],
    [50, 100, 4038, 5962],
    [540, 1000, 5090, 5707],
    [5400, 10_000, 5302, 5498],
  ])('%i of %i: %i to %i', (right, count, lowBp, highBp) => {
    expect(wilsonInterval(right, count)).toEqual({ lowBp, highBp })
  })

  it('contains the share, mirrors the other outcome, and narrows with more orders', () => {
    const counts = fc
      .integer({ min: 1, max: 100_000 })
      .chain((count) => fc.tuple(fc.integer({ min: 0, max: count }), fc.constant(count)))
    fc.assert(
      fc.property(counts, ([right, count]) => {
        const { lowBp, highBp } = wilsonInterval(right, count)
        const share = (right / count) * 10_000
        expect(lowBp).toBeLessThanOrEqual(Math.ceil(share))
        expect(highBp).toBeGreaterThanOrEqual(Math.floor(share))
        const mirrored = wilsonInterval(count - right, count)
        expect([10_000 - highBp, 10_000 - lowBp]).toEqual([mirrored.lowBp, mirrored.highBp])
        const wider = wilsonInterval(right * 4, count * 4)
        expect(wider.highBp - wider.lowBp).toBeLessThanOrEqual(highBp - lowBp)
      }),
    )
  })
})

describe('breakEvenShareBp', () => {
  it.each([
    ['one rate', [[1000, 8500]], 5405],
    [
      'stakes alike',
      [
        [1000, 8000],
        [1000, 9000],
      ],
      5405,
    ],
    [
      'a large stake weighs more',
      [
        [9000, 8000],
        [1000, 10_000],
      ],
      5495,
    ],
    ['no return', [[1000, 0]], 10_000],
  ] as const)('%s', (_name, orders, expected) => {
    const stake = orders.reduce((sum, [amount]) => sum + amount, 0)
    const stakeTimesRate = orders.reduce((sum, [amount, rateBp]) => sum + amount * rateBp, 0)
    expect(breakEvenShareBp(stake, stakeTimesRate)).toBe(expected)
    // At that share the expected result of the orders is zero, but for the rounding to a basis point.
    const share = expected / 10_000
    const sum = orders.reduce(
      (total, [amount, rateBp]) => total + amount * (share * (rateBp / 10_000) - (1 - share)),
      0,
    )
    expect(Math.abs(sum)).toBeLessThan(stake / 5000)
  })
})

describe('sharesOf', () => {
  it('states shares from thirty won and lost orders on', () => {
    expect(sharesOf({ won: 15, lost: sharesMinOrders - 16 }, 29_000, 29_000 * 8000)).toBeNull()
    expect(sharesOf({ won: 15, lost: 15 }, 30_000, 30_000 * 8000)).toEqual({
      rightBp: 5000,
      lowBp: 3315,
      highBp: 6685,
      breakEvenBp: 5556,
    })
  })
})
