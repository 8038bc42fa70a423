import { describe, expect, it } from 'vitest'
import { minor } from '../../contract/units.ts'
import {
  amountOf,
  quickAmount,
  parseAmountInput,
  parseDecimalInput,
  capAmount,
  normalizeAmountInput,
} from '../../contract/amount.ts'
import { amountMax } from '../../contract/constants.ts'
import { fc } from '../support/fastCheck.ts'

describe('normalizeAmountInput', () => {
  it.each([
    ['12', '12'],
    ['12.', '12.'],
    ['12.345', '12.34'],
    ['1,000.567', '1,000.56'],
    ['1.2.3', '1.2.3'],
    ['$12', '12'],
    ['US$ 1,234.50', '1,234.50'],
    ['12 USD', '12'],
    ['Rp 1.000,50', '1.000,50'],
    ['100元', '100'],
    ['+80.00', '80.00'],
    ['abc', ''],
    ['abc1d2', 'abc1d2'],
    ['1e', '1e'],
    ['-', '-'],
    ['-5', '-5'],
    ['−5', '-5'],
    ['๑,๒๓๔.๕๐', '1,234.50'],
    ['\u202a12\u202c', '12'],
    ['1\u202f234', '1234'],
    ['1,234.50', '1,234.50'],
    ['12,5', '12,5'],
    ['1，234', '1,234'],
    ['１２．５', '12.5'],
    ['１２。５', '12.5'],
    ['', ''],
    ['.', '.'],
    ['.5', '.5'],
  ])('normalizes %j to %j', (raw, normalized) => {
    expect(normalizeAmountInput(raw)).toBe(normalized)
  })

  it('cuts nothing after a dot if dots group thousands', () => {
    expect(normalizeAmountInput('1.000', ',')).toBe('1.000')
  })

  it('is idempotent, and keeps more than digits and separators only in an unclear text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (raw) => {
        const normalized = normalizeAmountInput(raw)
        expect(normalizeAmountInput(normalized)).toBe(normalized)
        if (parseAmountInput(raw) !== 'unclear') expect(normalized).toMatch(/^[\d.,]*$/)
      }),
    )
  })
})

it.each([
  ['1.14278', 5, '.', '1.14278'],
  ['1.142', 5, '.', '1.14200'],
  ['1,14278', 5, ',', '1.14278'],
  ['1.142', 5, ',', null],
  ['65,000', 5, '.', '65000.00000'],
  ['65,000.5', 1, '.', '65000.5'],
  ['65.000,5', 1, ',', '65000.5'],
  ['065', 0, '.', '65'],
  ['1,142', 0, '.', '1142'],
  ['1.5', 0, '.', null],
  ['1.142781', 5, '.', null],
  ['', 5, '.', undefined],
] as const)('parseDecimalInput reads %j with %i decimals and mark %s as %j', (text, places, mark, value) => {
  expect(parseDecimalInput(text, places, mark)).toBe(value)
})

describe('parseAmountInput', () => {
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
    ['1 234.50', 123_450],
    ['1\u00a0234\u00a0567,5', 123_456_750],
    ['1’234.50', 123_450],
    ['€1.234,50', 123_450],
    ['1,234.50 USDT', 123_450],
    ['¥100', 10_000],
    ['NT$100', 10_000],
    ['100 บาท', 10_000],
    ['๑๒๓', 12_300],
    ['१२३', 12_300],
    ['１２３', 12_300],
    ['١٬٢٣٤٫٥', 123_450],
    ['1e3', 'unclear'],
    ['2e+06', 'unclear'],
    ['10-20', 'unclear'],
    ['10–20', 'unclear'],
    ['0x10', 'unclear'],
    ['-5', 'unclear'],
    ['−5', 'unclear'],
    ['-', 'unclear'],
    ['(5)', 'unclear'],
    ['5-', 'unclear'],
    ['1.5k', 'unclear'],
    ['1e', 'unclear'],
    ['5k$', 'unclear'],
    ['5M€', 'unclear'],
    ['3万', 'unclear'],
    ['3万元', 'unclear'],
    ['5 mio', 'unclear'],
    ['5 tr', 'unclear'],
    ['50%', 'unclear'],
    ['10 20', 'unclear'],
    ['1 23', 'unclear'],
    ['1/2', 'unclear'],
    ['12:30', 'unclear'],
    ['5USD6', 'unclear'],
    ['$5 $6', 'unclear'],
  ])('parses %j as %j', (text, value) => {
    expect(parseAmountInput(text)).toBe(value)
    expect(amountOf(text)).toBe(value === 'unclear' ? undefined : value)
  })

  it.each([
    ['1,000', '.', 100_000],
    ['1,000', ',', 'unclear'],
    ['1.000', ',', 'unclear'],
    ['1,5', ',', 150],
    ['1.000,50', ',', 100_050],
  ] as const)('parses %j with decimal mark %s as %j', (text, mark, value) => {
    expect(parseAmountInput(text, mark)).toBe(value)
  })

  const marks = fc.constantFrom('.' as const, ',' as const)

  it('glues no digits that something else separates', () => {
    const digits = fc.stringMatching(/^[0-9]{1,5}$/)
    const between = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 4 })
      .filter((text) => !/[\p{Nd}.,。｡、､٫٬\uff0c\uff0e\s'’ʼ\uff07]/u.test(text) && /[^\p{Cf}]/u.test(text))
    fc.assert(
      fc.property(digits, between, digits, marks, (before, text, after, mark) => {
        expect(parseAmountInput(before + text + after, mark)).toBe('unclear')
        expect(parseAmountInput(typeByKey(before, mark) + text + after, mark)).toBe('unclear')
      }),
      { numRuns: 5000 },
    )
  })

  const typeByKey = (text: string, mark: '.' | ','): string =>
    Array.from(text).reduce((typed, key) => normalizeAmountInput(typed + key, mark), '')
  const texts = fc.string({ unit: fc.constantFrom(...Array.from('0123456789.,$ek- ')), maxLength: 14 })

  it('parses a text typed key by key like a pasted one, unless it is unclear', () => {
    fc.assert(
      fc.property(texts, marks, (text, mark) => {
        const typed = parseAmountInput(typeByKey(text, mark), mark)
        const pasted = parseAmountInput(normalizeAmountInput(text, mark), mark)
        if (typed !== 'unclear' && pasted !== 'unclear') expect(typed).toBe(pasted)
      }),
      { numRuns: 20_000 },
    )
  })

  it('parses an amount formatted in any locale', () => {
    const cents = fc.integer({ min: 0, max: 99_999_900 })
    fc.assert(
      fc.property(cents, marks, fc.constantFrom('en', 'de', 'fr', 'en-IN'), (value, mark, locale) => {
        const text = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(value / 100)
        const parsed = parseAmountInput(typeByKey(text.replaceAll(/\s/g, ''), mark), mark)
        if (locale !== 'en-IN' && mark === ',') expect(parsed).toBe(value)
        else if (parsed !== 'unclear') expect(parsed).toBe(value)
      }),
    )
  })
})

describe('capAmount', () => {
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

  it.each([
    ['1000', '1000,00'],
    ['1.000,5', '1000,50'],
    ['12.5', '12,50'],
    ['1.2.3', '1.2.3'],
  ])('%j becomes %j where the decimal mark is a comma, and is read as the same amount', (typed, text) => {
    expect(capAmount(typed, amountMax, ',')).toEqual({ text, capped: false })
    expect(parseAmountInput(text, ',')).toBe(parseAmountInput(typed, ','))
  })

  it('caps at the smaller limit', () => {
    expect(capAmount('500', minor(12_345))).toEqual({ text: '123.45', capped: true })
  })
})

it('amountOf returns undefined for an empty text', () => {
  expect(amountOf('12.5')).toBe(1250)
  expect(amountOf('')).toBeUndefined()
})

it.each([
  [1_024_050, 25, 256_012],
  [1_024_050, 100, 1_024_050],
  [0, 50, 0],
])('quickAmount of %i at %i %% is %i, rounded down to the cent', (available, percent, amount) => {
  expect(quickAmount(minor(available), percent, minor(99_999_900))).toBe(amount)
})
