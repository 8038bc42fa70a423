import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { minor } from '../../contract/brand.ts'
import { amountOf, quickAmount, settledAmount, typedAmount } from '../../contract/amount.ts'

describe('while typing', () => {
  test.each([
    ['12', '12'],
    ['12.', '12.'],
    ['12.345', '12.34'],
    ['1.2.3', '1.23'],
    ['abc1d2', '12'],
    ['-5', '5'],
    ['1,234.50', '1234.50'],
    ['12,5', '12.5'],
    ['1,234', '1234'],
    ['1,234,567', '1234567'],
    ['１２．５', '12.5'],
    ['１２。５', '12.5'],
    ['', ''],
    ['.', '.'],
    ['.5', '.5'],
  ])('%j keeps %j', (raw, kept) => {
    expect(typedAmount(raw)).toBe(kept)
  })

  test('keeps digits, one dot and two decimals of whatever is pasted, and is settled after one pass', () => {
    fc.assert(
      fc.property(fc.string(), (raw) => {
        const kept = typedAmount(raw)
        expect(kept).toMatch(/^\d*(\.\d{0,2})?$/)
        expect(typedAmount(kept)).toBe(kept)
      }),
    )
  })
})

describe('on leaving the field', () => {
  test.each([
    ['100', '100.00', false],
    ['0', '1.00', false],
    ['0.00', '1.00', false],
    ['.', '', false],
    ['', '', false],
    ['0.5', '0.50', false],
    ['007.1', '7.10', false],
    ['1000000', '999999.00', true],
    ['99999999999999999999', '999999.00', true],
  ])('%j becomes %j', (typed, text, capped) => {
    expect(settledAmount(typed)).toEqual({ text, capped })
  })

  test('the smaller limit holds', () => {
    expect(settledAmount('500', minor(12_345))).toEqual({ text: '123.45', capped: true })
  })
})

test('amountOf reads what stands there', () => {
  expect(amountOf('12.5')).toBe(1250)
  expect(amountOf('')).toBeUndefined()
})

test.each([
  [1_024_050, 25, 256_012],
  [1_024_050, 100, 1_024_050],
  [0, 50, 0],
])('of %i, %i %% is %i, cut to the cent', (available, percent, amount) => {
  expect(quickAmount(minor(available), percent, minor(99_999_900))).toBe(amount)
})
