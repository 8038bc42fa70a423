import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { minor } from '../../../../contract/units.ts'
import { stepAmount } from '../../../../src/pages/product/stepAmount.ts'

const [min, max] = [minor(100), minor(500_000)]

describe('stepAmount', () => {
  it.each([
    [0, 100],
    [100, 200],
    [900, 1_000],
    [1_000, 2_000],
    [1_250, 2_000],
    [9_000, 10_000],
    [10_000, 20_000],
    [99_999, 100_000],
    [400_000, 500_000],
    [500_000, undefined],
    [450_000, 500_000],
    [700_000, undefined],
  ])('from %i up is %s', (amount, next) => {
    expect(stepAmount(minor(amount), 'up', min, max)).toBe(next)
  })
  it.each([
    [100, undefined],
    [200, 100],
    [1_000, 900],
    [1_250, 1_000],
    [10_000, 9_000],
    [20_000, 10_000],
    [150, 100],
    [50, undefined],
    [700_000, 500_000],
  ])('from %i down is %s', (amount, next) => {
    expect(stepAmount(minor(amount), 'down', min, max)).toBe(next)
  })
  it('ends at an uneven minimum, and never at all of an uneven balance', () => {
    expect(stepAmount(minor(300), 'down', minor(250), max)).toBe(250)
    expect(stepAmount(minor(0), 'up', minor(250), max)).toBe(300)
    expect(stepAmount(minor(900_000), 'up', min, minor(1_003_041))).toBe(1_000_000)
    expect(stepAmount(minor(1_000_000), 'up', min, minor(1_003_041))).toBeUndefined()
  })
  it('stays within the limits, and moves', () => {
    const amounts = fc.integer({ min: 0, max: 99_999_900 }).map(minor)
    fc.assert(
      fc.property(
        amounts,
        amounts,
        amounts,
        fc.constantFrom('up' as const, 'down' as const),
        (a, b, c, by) => {
          const [low, high] = b < c ? [b, c] : [c, b]
          const next = stepAmount(a, by, low, high)
          if (next === undefined) return
          expect(next).toBeGreaterThanOrEqual(low)
          expect(next).toBeLessThanOrEqual(high)
          if (by === 'up') expect(next).toBeGreaterThan(a)
          else expect(next).toBeLessThan(a)
        },
      ),
    )
  })
})
