import { describe, expect, it } from 'vitest'
import { priceUnits, sizeUnits } from '../../contract/units.ts'
import {
  changeBp,
  formatPrice,
  formatSize,
  formatTurnover,
  parseTruncated,
  parsePrice,
  parseRounded,
  parseSize,
} from '../../contract/price.ts'
import { fc } from '../support/fastCheck.ts'

describe('price and size texts', () => {
  it.each([
    [114_278, 5, '1.14278'],
    [1, 5, '0.00001'],
    [52_600, 1, '5260.0'],
    [42, 0, '42'],
  ])('price %i at %i decimals is %s', (units, decimals, text) => {
    expect(formatPrice(priceUnits(units), decimals)).toBe(text)
    expect(parsePrice(text, decimals)).toBe(units)
  })

  it.each([
    [0, 3, '0'],
    [1000, 3, '1'],
    [1500, 3, '1.5'],
    [7, 0, '7'],
    [100, 0, '100'],
    [1, 8, '0.00000001'],
  ])('size %i at %i decimals is %s', (units, decimals, text) => {
    expect(formatSize(sizeUnits(units), decimals)).toBe(text)
    expect(parseSize(text, decimals)).toBe(units)
  })

  it.each(['1.142780', '1.1427', '01.14278', '-1.14278', '0.00000', '1e5', ''])(
    'reject %j as a price at 5 decimals',
    (text) => {
      expect(parsePrice(text, 5)).toBeUndefined()
    },
  )

  it.each(['1.50', '01', '-1', '1.0', '', '1.2345'])('reject %j as a size at 3 decimals', (text) => {
    expect(parseSize(text, 3)).toBeUndefined()
  })

  it('parse every formatted price back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 ** 12 }),
        fc.integer({ min: 0, max: 8 }),
        (units, decimals) => {
          expect(parsePrice(formatPrice(priceUnits(units), decimals), decimals)).toBe(units)
        },
      ),
    )
  })
})

describe('parseRounded and parseTruncated', () => {
  it.each([
    ['1.142785', 5, 114_279],
    ['1.142784999', 5, 114_278],
    ['1297.9505', 3, 1_297_951],
    ['61845', 1, 618_450],
    ['0.05', 1, 1],
  ])('round %s half up at %i decimals to %i', (text, decimals, units) => {
    expect(parseRounded(text, decimals)).toBe(units)
  })

  it('truncate sizes', () => {
    expect(parseTruncated('0.00019', 4)).toBe(1)
  })

  it('read every decimal as exact integers would, and nothing else', () => {
    const text = fc.oneof(
      fc.stringMatching(/^-?\d{1,12}(\.\d{1,9})?$/),
      fc.stringMatching(/^[-.\d e]{0,8}$/),
      fc.stringMatching(/^\d{15,20}(\.\d{0,3})?$/),
    )
    fc.assert(
      fc.property(text, fc.nat(8), (decimal, decimals) => {
        const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? []
        const truncated = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0') || 0)
        const up = sign === '' && (fraction[decimals] ?? '0') >= '5' ? 1n : 0n
        const expected = (units: bigint): number | undefined =>
          sign === undefined || units > BigInt(Number.MAX_SAFE_INTEGER)
            ? undefined
            : Number(sign === '' ? units : -units)
        expect(parseTruncated(decimal, decimals)).toBe(expected(truncated))
        expect(parseRounded(decimal, decimals)).toBe(expected(truncated + up))
      }),
      { numRuns: 2000 },
    )
  })

  it.each(['', '-', '.5', '1.', '+1', ' 1', 'NaN', '1.2.3', '1e9', 'Infinity', '99999999999999999999'])(
    'reject %j',
    (text) => {
      expect(parseRounded(text, 2)).toBeUndefined()
    },
  )
})

describe('24-hour ticker', () => {
  it.each([
    [110, 100, 1000],
    [99, 100, -100],
    [100, 100, 0],
    [100_005, 100_000, 1],
    [99_995, 100_000, 0],
    [99_994, 100_000, -1],
    [5, 0, 0],
  ])('from %2$i to %1$i', (last, base, change) => {
    expect(changeBp(last, base)).toBe(change)
  })

  it('rounds like Math.round wherever a double is exact enough', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 ** 6 }),
        fc.integer({ min: 1, max: 10 ** 6 }),
        (last, base) => {
          const exact = ((last - base) * 10_000) / base
          fc.pre(Math.abs((exact % 1) - 0.5) > 1e-6 && Math.abs((exact % 1) + 0.5) > 1e-6)
          expect(changeBp(last, base)).toBe(Math.round(exact) + 0)
        },
      ),
    )
  })

  it.each([
    [123_456n, 5, '1.23'],
    [129_999n, 5, '1.29'],
    [12n, 1, '1.20'],
    [12n, 0, '12.00'],
    [0n, 5, '0.00'],
  ])('turnover %s at %i decimals is %s, truncated', (turnover, decimals, text) => {
    expect(formatTurnover(turnover, decimals)).toBe(text)
  })
})
