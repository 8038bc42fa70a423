import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { minor } from '../../contract/brand.ts'
import {
  amountOf,
  quickAmount,
  parseAmountInput,
  capAmount,
  normalizeAmountInput,
} from '../../contract/amount.ts'

describe('while typing', () => {
  it.each([
    ['12', '12'],
    ['12.', '12.'],
    ['12.345', '12.34'],
    ['1,000.567', '1,000.56'],
    ['1.2.3', '1.2.3'],
    ['abc1d2', '12'],
    ['-5', '5'],
    ['1,234.50', '1,234.50'],
    ['12,5', '12,5'],
    ['1，234', '1,234'],
    ['１２．５', '12.5'],
    ['１２。５', '12.5'],
    ['', ''],
    ['.', '.'],
    ['.5', '.5'],
  ])('%j keeps %j', (raw, kept) => {
    expect(normalizeAmountInput(raw)).toBe(kept)
  })

  it('nothing is cut after a dot where dots group thousands', () => {
    expect(normalizeAmountInput('1.000', ',')).toBe('1.000')
  })

  it('keeps digits and separators of whatever is pasted, and is settled after one pass', () => {
    fc.assert(
      fc.property(fc.string(), (raw) => {
        const kept = normalizeAmountInput(raw)
        expect(kept).toMatch(/^[\d.,]*$/)
        expect(normalizeAmountInput(kept)).toBe(kept)
      }),
    )
  })
})

describe('a text read as an amount', () => {
  it.each([
    ['1000', 100_000],
    ['1,000.5', 100_050],
    ['1.000,5', 100_050],
    ['1,234,567.89', 123_456_789],
    ['1.234.567,89', 123_456_789],
    ['1,234,567', 123_456_700],
    ['1.234.567', 123_456_700],
    ['12,5', 1250],
    ['1,5', 150],
    ['1,50', 150],
    ['1,', 100],
    ['1.', 100],
    ['.5', 50],
    [',5', 50],
    ['１，０００．５', 100_050],
    ['1 000,50', 100_050],
    ['', undefined],
    ['.', undefined],
    ['1.000', 'unclear'],
    ['1,00,000', 'unclear'],
    ['1,0000', 'unclear'],
    ['0,123', 'unclear'],
    ['1,000.', 100_000],
    ['1.2.3', 'unclear'],
    ['1,2.3,4', 'unclear'],
    ['1.000,500', 'unclear'],
  ])('%j is %j', (text, value) => {
    expect(parseAmountInput(text)).toBe(value)
    expect(amountOf(text)).toBe(value === 'unclear' ? undefined : value)
  })

  it.each([
    ['1,000', '.', 100_000],
    ['1,000', ',', 'unclear'],
    ['1.000', ',', 'unclear'],
    ['1,5', ',', 150],
    ['1.000,50', ',', 100_050],
  ] as const)('%j, where decimals follow a %s, is %j', (text, mark, value) => {
    expect(parseAmountInput(text, mark)).toBe(value)
  })

  const keyed = (text: string, mark: '.' | ','): string =>
    Array.from(text).reduce((typed, key) => normalizeAmountInput(typed + key, mark), '')
  const texts = fc.string({ unit: fc.constantFrom(...Array.from('0123456789.,')), maxLength: 14 })
  const marks = fc.constantFrom('.' as const, ',' as const)

  it('is the same typed key by key as pasted whole, or is refused', () => {
    fc.assert(
      fc.property(texts, marks, (text, mark) => {
        const typed = parseAmountInput(keyed(text, mark), mark)
        const pasted = parseAmountInput(normalizeAmountInput(text, mark), mark)
        if (typed !== 'unclear' && pasted !== 'unclear') expect(typed).toBe(pasted)
      }),
      { numRuns: 20_000 },
    )
  })

  it('and is what the same amount reads as however it is grouped', () => {
    const cents = fc.integer({ min: 0, max: 99_999_900 })
    fc.assert(
      fc.property(cents, marks, fc.constantFrom('en', 'de', 'fr', 'en-IN'), (value, mark, locale) => {
        const text = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(value / 100)
        const read = parseAmountInput(keyed(text.replaceAll(/\s/g, ''), mark), mark)
        if (locale !== 'en-IN' && mark === ',') expect(read).toBe(value)
        else if (read !== 'unclear') expect(read).toBe(value)
      }),
    )
  })
})

describe('on leaving the field', () => {
  it.each([
    ['100', '100.00', false],
    ['0', '1.00', false],
    ['0.00', '1.00', false],
    ['.', '', false],
    ['', '', false],
    ['0.5', '0.50', false],
    ['007.1', '7.10', false],
    ['1000000', '999999.00', true],
    ['99999999999999999999', '999999.00', true],
    ['1,000.5', '1000.50', false],
    ['1,5', '1.50', false],
    ['1.2.3', '1.2.3', false],
  ])('%j becomes %j', (typed, text, capped) => {
    expect(capAmount(typed)).toEqual({ text, capped })
  })

  it('the smaller limit holds', () => {
    expect(capAmount('500', minor(12_345))).toEqual({ text: '123.45', capped: true })
  })
})

it('amountOf reads what stands there', () => {
  expect(amountOf('12.5')).toBe(1250)
  expect(amountOf('')).toBeUndefined()
})

it.each([
  [1_024_050, 25, 256_012],
  [1_024_050, 100, 1_024_050],
  [0, 50, 0],
])('of %i, %i %% is %i, cut to the cent', (available, percent, amount) => {
  expect(quickAmount(minor(available), percent, minor(99_999_900))).toBe(amount)
})
