import { describe, expect, it } from 'vitest'
import { languages, type Language } from '../../../contract/constants.ts'
import { minor, priceUnits } from '../../../contract/units.ts'
import { createFormat, localeOf } from '../../../src/text/format.ts'

const at = Date.UTC(2026, 2, 9, 14, 5, 9)
const inUtc = (language: Language) => createFormat(language, 'UTC')

describe('money and prices', () => {
  it.each<[Language, string, string]>([
    ['en', '1234567.50', '1,234,567.50'],
    ['zh-CN', '1234567.50', '1,234,567.50'],
    ['zh-TW', '1234.50', '1,234.50'],
    ['ja', '1234.50', '1,234.50'],
    ['ko', '1234.50', '1,234.50'],
    ['th', '1234.50', '1,234.50'],
    ['vi', '1234567.50', '1.234.567,50'],
    ['id', '1234.50', '1.234,50'],
    ['de', '1234.50', '1.234,50'],
    ['fr', '1234567.50', '1\u202f234\u202f567,50'],
  ])('%s groups %s as %s', (language, text, shown) => {
    expect(inUtc(language).money(text)).toBe(shown)
  })

  it.each(languages)('%s groups and marks every number as Intl does', (language) => {
    const intl = new Intl.NumberFormat(localeOf(language), {
      useGrouping: 'always',
      minimumFractionDigits: 2,
    })
    for (const number of [0, 0.5, 12, 123, 1234, 12_345.25, 123_456, 1_234_567.75, 12_345_678, 123_456_789.5])
      expect(inUtc(language).decimal(number.toFixed(2))).toBe(intl.format(number))
  })

  it.each<[string, 'always' | 'never', string]>([
    ['-150.00', 'never', '\u2212150.00'],
    ['-150.00', 'always', '\u2212150.00'],
    ['142.50', 'always', '+142.50'],
    ['142.50', 'never', '142.50'],
    ['0.00', 'always', '0.00'],
    ['-0.00', 'always', '0.00'],
  ])('%s signed %s is %s', (text, sign, shown) => {
    expect(inUtc('en').money(text, sign)).toBe(shown)
  })

  it('accepts minor units and passes nothing through a float', () => {
    expect(inUtc('en').money(minor(9_007_199_254_740_991))).toBe('90,071,992,547,409.91')
    expect(inUtc('en').decimal('007')).toBe('7')
    expect(inUtc('en').price('0.00000001', 8)).toBe('0.00000001')
    expect(inUtc('de').price(priceUnits(114_278), 5)).toBe('1,14278')
    expect(inUtc('en').price(priceUnits(61_602_00), 2)).toBe('61,602.00')
  })

  it('returns text that is not a number unchanged', () => {
    expect(inUtc('en').money('n/a')).toBe('n/a')
  })
})

describe('percent', () => {
  it.each<[Language, number, string]>([
    ['en', -38, '\u22120.38%'],
    ['zh-CN', 96, '+0.96%'],
    ['de', 35, '+0,35\u202f%'],
    ['fr', 0, '0,00\u202f%'],
    ['vi', -1234, '\u221212,34%'],
  ])('%s writes %d basis points as %s', (language, bp, shown) => {
    expect(inUtc(language).percent(bp, 'always')).toBe(shown)
  })

  it('drops trailing zeros of a rate', () => {
    const format = inUtc('en')
    expect([8500, 8550, 8555, 0].map(format.rate)).toEqual(['85%', '85.5%', '85.55%', '0%'])
    expect(format.share(1 / 1.85)).toBe('54.1%')
  })
})

describe('compact numbers', () => {
  it.each<[Language, thousands: string, millions: string, billions: string]>([
    ['en', '136.7K', '201.07M', '1.50B'],
    ['de', '136.741', '201,07\u00a0Mio.', '1,50\u00a0Mrd.'],
    ['fr', '136,7\u00a0k', '201,07\u00a0M', '1,50\u00a0Md'],
    ['zh-CN', '13.67万', '2.01亿', '15.00亿'],
    ['zh-TW', '13.67萬', '2.01億', '15.00億'],
    ['ja', '13.67万', '2.01億', '15.00億'],
    ['ko', '13.67만', '2.01억', '15.00억'],
    ['th', '136.7K', '201.07M', '1.50B'],
    ['vi', '136,7\u00a0N', '201,07\u00a0Tr', '1,50\u00a0T'],
    ['id', '136,7\u00a0rb', '201,07\u00a0jt', '1,50\u00a0M'],
  ])('%s has its own units: %s, %s, %s', (language, thousands, millions, billions) => {
    const { compact } = inUtc(language)
    expect(['136741', '201068332.51', '1500000000'].map(compact)).toEqual([thousands, millions, billions])
  })

  it.each<[Language, string, string]>([
    ['en', '438.12', '438'],
    ['en', '4.5', '4.50'],
    ['en', '0', '0'],
    ['en', '999.96', '1.0K'],
    ['en', '999999', '1.00M'],
    ['de', '999949', '999.949'],
    ['de', '999950', '1,00\u00a0Mio.'],
    ['de', '4.5', '4,50'],
    ['ja', '9999', '9,999'],
  ])('%s writes %s as %s', (language, text, shown) => {
    expect(inUtc(language).compact(text)).toBe(shown)
  })
})

describe('dates', () => {
  it.each<[Language, string]>([
    ['en', '9 Mar 2026, 14:05:09'],
    ['zh-CN', '2026/3/9 14:05:09'],
    ['zh-TW', '2026/3/9 14:05:09'],
    ['ja', '2026/03/09 14:05:09'],
    ['th', '9 มี.ค. 2026 14:05:09'],
    ['vi', '09/03/2026 14:05:09'],
    ['id', '9 Mar 2026, 14:05:09'],
    ['ko', '2026. 3. 9. 14:05:09'],
    ['fr', '09/03/2026 14:05:09'],
    ['de', '09.03.2026, 14:05:09'],
  ])('%s: Gregorian years, 24 hours, date before time', (language, shown) => {
    expect(inUtc(language).dateTime(at)).toBe(shown)
  })

  it('shows midnight as 00 and uses the given zone', () => {
    expect(inUtc('en').timeShort(Date.UTC(2026, 0, 1, 0, 0, 0))).toBe('00:00')
    expect(createFormat('en', 'Asia/Shanghai').timeShort(at)).toBe('22:05')
  })

  it('shows a relative time as just now, minutes, hours, then the date', () => {
    const format = inUtc('en')
    expect(format.ago(at, 0, 'just now')).toBe(format.dateTimeShort(at))
    const minutes = (n: number) => format.ago(at - n * 60_000, at, 'just now')
    expect(minutes(0)).toBe('just now')
    expect(minutes(14)).toBe('just now')
    expect(minutes(15)).toBe('15 min ago')
    expect(minutes(60)).toBe('1 hr ago')
    expect(minutes(1439)).toBe('23 hr ago')
    expect(minutes(1440)).toBe('8 Mar 2026')
  })

  it('rounds a wait up', () => {
    const format = inUtc('en')
    expect([1, 40_000, 89_001, 61 * 60_000, 24 * 3_600_000].map(format.wait)).toEqual([
      '1 second',
      '40 seconds',
      '2 minutes',
      '61 minutes',
      '24 hours',
    ])
  })

  it.each<[Language, string]>([
    ['zh-CN', '40秒'],
    ['zh-TW', '40 秒'],
    ['ja', '40秒'],
  ])('%s counts a wait as its texts count seconds: %s', (language, shown) => {
    expect(inUtc(language).wait(40_000)).toBe(shown)
  })

  it('shows the same time in every language', () => {
    for (const language of languages) expect(inUtc(language).time(at)).toBe('14:05:09')
  })
})
