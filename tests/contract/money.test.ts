import { describe, expect, it } from 'vitest'
import { minor } from '../../contract/units.ts'
import { breakEvenRate, formatMoney, moneyOf, parseMoney, winProfit } from '../../contract/money.ts'
import { fc } from '../support/fastCheck.ts'

describe('parseMoney and formatMoney', () => {
  it.each([
    ['0.00', 0],
    ['1.00', 100],
    ['1234.50', 123_450],
    ['-0.01', -1],
    ['999999.00', 99_999_900],
    ['-1234567.89', -123_456_789],
  ])('convert %s to and from %i minor units', (text, units) => {
    expect(parseMoney(text)).toBe(units)
    expect(formatMoney(minor(units))).toBe(text)
  })

  it.each([
    '',
    '1',
    '1.0',
    '1.000',
    '01.00',
    '+1.00',
    '1,00',
    ' 1.00',
    '1.00 ',
    '.50',
    '1e2',
    'NaN',
    '１.00',
  ])('reject %j', (text) => {
    expect(parseMoney(text)).toBeUndefined()
    expect(() => moneyOf(text)).toThrow(RangeError)
  })

  it('parse minus zero as zero', () => {
    expect(Object.is(parseMoney('-0.00'), 0)).toBe(true)
  })

  it('are inverse', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 14), max: 10 ** 14 }), (units) => {
        expect(parseMoney(formatMoney(minor(units)))).toBe(units)
      }),
    )
  })
})

describe('winProfit', () => {
  it.each([
    [100, 8500, 85],
    [101, 8500, 85],
    [1, 8500, 0],
    [99_999_900, 8800, 87_999_912],
    [33_333, 8333, 27_776],
  ])('%i minor units at %i bp win %i', (amount, rateBp, win) => {
    expect(winProfit(minor(amount), rateBp)).toBe(win)
  })

  it('is rounded down', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 ** 12 }),
        fc.integer({ min: 0, max: 20_000 }),
        (amount, rateBp) => {
          const win = BigInt(winProfit(minor(amount), rateBp))
          const exact = BigInt(amount) * BigInt(rateBp)
          expect(win * 10_000n <= exact && exact < (win + 1n) * 10_000n).toBe(true)
        },
      ),
    )
  })

  it('breakEvenRate makes the expected value zero', () => {
    expect(breakEvenRate(8500)).toBeCloseTo(0.540_540_5, 6)
    expect(breakEvenRate(10_000)).toBe(0.5)
  })
})
