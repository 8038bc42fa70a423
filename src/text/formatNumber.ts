import type { DecimalMark } from '../../contract/amount.ts'
import type { Minor, PriceUnits } from '../../contract/units.ts'
import type { Language } from '../../contract/constants.ts'
import { formatMoney } from '../../contract/money.ts'
import { formatUnits } from '../../contract/price.ts'

/** The true minus, as wide as the plus. */
export const minusSign = '\u2212'

/** Shown for a value that is not known. */
export const noValue = '\u2014'

/** Replaces a hidden amount; the same width for every amount. */
export const hiddenAmount = '••••••'

/** `always`: gains have a plus sign. `never` (the default): only negative values are signed. */
type SignDisplay = 'always' | 'never'

/**
 * Units of a compact number, largest first, each with the space before it. They are those of Unicode CLDR, written out
 * because browsers differ. East Asian languages count in ten thousands; German does not shorten thousands.
 */
type CompactUnits = readonly (readonly [power: number, unit: string])[]
const thousands = (space: string, k: string, m: string, b: string): CompactUnits => [
  [9, space + b],
  [6, space + m],
  [3, space + k],
]
const myriads = (wan: string, yi: string): CompactUnits => [
  [8, yi],
  [4, wan],
]
const compactUnits: Record<Language, CompactUnits> = {
  'zh-CN': myriads('万', '亿'),
  'zh-TW': myriads('萬', '億'),
  ja: myriads('万', '億'),
  ko: myriads('만', '억'),
  en: thousands('', 'K', 'M', 'B'),
  th: thousands('', 'K', 'M', 'B'),
  de: [
    [9, '\u00a0Mrd.'],
    [6, '\u00a0Mio.'],
  ],
  fr: thousands('\u00a0', 'k', 'M', 'Md'),
  vi: thousands('\u00a0', 'N', 'Tr', 'T'),
  id: thousands('\u00a0', 'rb', 'jt', 'M'),
}

/** The marks of a number, those of Unicode CLDR. Written out, because Intl takes six times as long for each price. */
type Marks = { group: string; decimal: DecimalMark }
const point: Marks = { group: ',', decimal: '.' }
const comma: Marks = { group: '.', decimal: ',' }
const marks: Record<Language, Marks> = {
  'zh-CN': point,
  'zh-TW': point,
  ja: point,
  ko: point,
  en: point,
  th: point,
  de: comma,
  fr: { group: '\u202f', decimal: ',' },
  vi: comma,
  id: comma,
}

/** Where a whole number has three, six, nine … digits to its right. */
const groupStarts = /\B(?=(?:\d{3})+$)/g

/** Formats numbers. Decimal text is formatted digit by digit: no price or amount passes through a float. */
export function createNumberFormat(language: Language, locale: string) {
  const { group, decimal: decimalMark } = marks[language]
  const percentMark = language === 'de' || language === 'fr' ? '\u202f%' : '%'

  /** `"-1234.50"` as `−1,234.50`. Text that is not a decimal number is returned unchanged. */
  function decimal(text: string, sign: SignDisplay = 'never'): string {
    const match = /^(-?)0*(\d+)(?:\.(\d+))?$/.exec(text)
    if (!match) return text
    const [, minus, digits = '0', fraction] = match
    const zero = !/[1-9]/.test(`${digits}${fraction ?? ''}`)
    const mark = zero ? '' : minus === '-' ? minusSign : sign === 'always' ? '+' : ''
    return `${mark}${digits.replace(groupStarts, group)}${fraction === undefined ? '' : decimalMark + fraction}`
  }
  /** Minor units, or the contract's money string. */
  const money = (value: Minor | string, sign: SignDisplay = 'never'): string =>
    decimal(typeof value === 'string' ? value : formatMoney(value), sign)
  /**
   * A price in integer units of so many decimals, or as the contract's string: always all of the product's decimals.
   * Prices are above zero: zero means that a product has no price yet.
   */
  const price = (value: PriceUnits | string, priceDecimals = 0): string =>
    Number(value) === 0
      ? noValue
      : decimal(typeof value === 'string' ? value : formatUnits(value, priceDecimals))
  /** Basis points as percent with two decimals, for movements. `rate` drops trailing zeros. */
  const percent = (bp: number, sign: SignDisplay = 'never'): string =>
    decimal(formatUnits(bp, 2), sign) + percentMark
  const rate = (bp: number): string => decimal(formatUnits(bp, 2).replace(/\.?0+$/, '')) + percentMark
  /** A fraction of one, for display only: 0.5405 as 54.1%. */
  const share = (fraction: number): string => decimal((fraction * 100).toFixed(1)) + percentMark

  /** Volumes and turnover, shortened: 136741 as 136.7K, 201068332.51 as 201.07M. Prices are never shortened. */
  function compact(text: string): string {
    const value = Number(text)
    if (!Number.isFinite(value)) return text
    for (const [power, unit] of compactUnits[language]) {
      const scaled = value / 10 ** power
      if (scaled >= 0.99995) return decimal(scaled.toFixed(power === 3 ? 1 : 2)) + unit
    }
    return decimal(value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(2))
  }

  /** A size in kilobytes, or megabytes from one on: 4.2 MB. */
  function bytes(count: number): string {
    const kilobytes = count / 1000
    const [value, name] =
      kilobytes < 1000 ? ([kilobytes, 'kilobyte'] as const) : ([kilobytes / 1000, 'megabyte'] as const)
    const parts = { style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits: 1 } as const
    return new Intl.NumberFormat(locale, parts).format(value)
  }
  return { decimalMark, bytes, decimal, money, price, percent, rate, share, compact }
}
