import { minor, type Minor } from './units.ts'
import { toPlainSigns } from './halfWidth.ts'
import { formatMoney, parseMoney } from './money.ts'
import { amountDecimals, amountMax } from './constants.ts'

/** The sign before the decimals in the reader's language. */
export type DecimalMark = '.' | ','

/**
 * What an amount field contains while a member types: digits, dots and commas. Those of other scripts become plain, and
 * a currency before or after goes. Separators stay as typed, because one alone is ambiguous: a comma may start decimals
 * or thousands. Decimals beyond the second are cut after a dot, unless the reader's language groups thousands by dots.
 * A text with anything else stays as it is, and its amount is `unclear`: leaving a sign out would make another number.
 */
export function normalizeAmountInput(raw: string, mark: DecimalMark = '.'): string {
  const text = cleanAmountInput(raw)
  return mark === '.' ? text.replace(/^(\d*|[1-9]\d{0,2}(?:,\d{3})+)\.(\d{2})\d+$/, '$1.$2') : text
}

/**
 * What the field contains when the member leaves it: two decimals, zero or less becomes 1, and no more than
 * the smaller of `max` and the specification's 999999. An empty field stays empty, an ambiguous text unchanged.
 */
export function capAmount(
  typed: string,
  max: Minor = amountMax,
  mark: DecimalMark = '.',
): { text: string; capped: boolean } {
  const value = parseAmountInput(typed, mark)
  if (value === undefined) return { text: '', capped: false }
  if (value === 'unclear') return { text: typed, capped: false }
  const limit = minor(Math.max(0, Math.min(max, amountMax)))
  const positive = value <= 0 ? minor(100) : value
  const capped = positive > limit && limit > 0
  return { text: amountText(capped ? limit : positive, mark), capped }
}

/** An amount as a field contains it: two decimals after the reader's mark, thousands not grouped. */
export const amountText = (value: Minor, mark: DecimalMark): string => formatMoney(value).replace('.', mark)

/**
 * The amount of a complete text, typed or pasted; undefined if there is none yet. Thousands may be grouped by commas or
 * dots, decimals follow a dot or a comma: `1,000.5`, `1.000,5` and `12,5` are accepted. `unclear` is a text that can be
 * read in two ways or in none. Too many digits return the largest safe integer.
 */
export function parseAmountInput(typed: string, mark: DecimalMark = '.'): Minor | 'unclear' | undefined {
  const text = parseDecimalInput(typed, amountDecimals, mark)
  if (text === undefined) return undefined
  if (text === null) return 'unclear'
  return parseMoney(text) ?? minor(Number.MAX_SAFE_INTEGER)
}

/**
 * Like {@link parseAmountInput}, but of a number with up to `places` decimals, as decimal text with exactly that many;
 * null if the text is unclear.
 */
export function parseDecimalInput(
  typed: string,
  places: number,
  mark: DecimalMark,
): string | null | undefined {
  const text = cleanAmountInput(typed)
  const parts = isNumber(text) ? partsOf(text, places, mark) : null
  if (parts === null) return null
  const [whole, decimals] = parts
  if (whole === '' && decimals === '') return undefined
  const trimmed = whole.replace(/^0+(?=\d)/, '') || '0'
  return places === 0 ? trimmed : `${trimmed}.${decimals.padEnd(places, '0')}`
}

/** Like {@link parseAmountInput}, but undefined for an unclear text. */
export function amountOf(typed: string, mark: DecimalMark = '.'): Minor | undefined {
  const value = parseAmountInput(typed, mark)
  return value === 'unclear' ? undefined : value
}

/** A percentage of the available amount, rounded down to the cent and capped at `max`. */
export function quickAmount(available: Minor, percent: number, max: Minor): Minor {
  const share = Number((BigInt(Math.max(0, available)) * BigInt(percent)) / 100n)
  return minor(Math.min(share, max))
}

/** Currencies by name, as an amount is copied with them. Words that multiply, such as 万 or k, are none. */
const currencyNames =
  'USD[TC]?|CN[YH]|RMB|HKD|TWD|NTD|JPY|KRW|THB|VND|IDR|EUR|GBP|CHF|AUD|CAD|SGD|Rp\\.?|đ|đồng' +
  '|元|圆|圓|円|원|บาท|美元|美金|ドル|달러|dollars?|euros?'
/** Before a sign there may be a country's letters, as in `US$`; after a number the same letters would multiply it: `5k$`. */
const leadingCurrency = new RegExp(`^\\+?\\s*(?:(?:[A-Z]{0,3}\\p{Sc}|${currencyNames})\\s*)?`, 'iu')
const trailingCurrency = new RegExp(`\\s*(?:\\p{Sc}|${currencyNames})$`, 'iu')
/** Thousands that are grouped by spaces or apostrophes. */
const spacedThousands = /^[1-9]\d{0,2}(?:([\s'’ʼ])\d{3})(?:\1\d{3})*(?!\d)/u

const isNumber = (text: string): boolean => /^[\d.,]*$/.test(text)

/** The number in a text as digits, dots and commas; if it has anything else, the whole text with plain signs. */
function cleanAmountInput(raw: string): string {
  const text = toPlainSigns(raw)
    .replace(/[。｡٫]/g, '.')
    .replace(/[､、٬]/g, ',')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .trim()
  // Before the first digit nothing can be part of the number, except a minus.
  if (!/\d/.test(text)) return text.replace(/[^.,-]/g, '')
  const number = text
    .replace(leadingCurrency, '')
    .replace(trailingCurrency, '')
    .replace(spacedThousands, (thousands) => thousands.replace(/\D/g, ''))
  return isNumber(number) ? number : text
}

/** Splits a text of digits, dots and commas into whole and up to `places` decimals. */
function partsOf(text: string, places: number, mark: DecimalMark): [whole: string, decimals: string] | null {
  const separators = text.replace(/\d/g, '')
  const last = separators.at(-1)
  if (last === undefined) return [text, '']
  const at = text.lastIndexOf(last)
  const [before, after] = [text.slice(0, at), text.slice(at + 1)]
  if (separators.length === 1) {
    // Three digits after a comma are thousands, unless the reader's decimal mark is the comma.
    if (last !== mark && hasGrouping(text, last)) return mark === '.' ? [before + after, ''] : null
    return after.length <= places ? [before, after] : null
  }
  if (separators === last.repeat(separators.length)) {
    return hasGrouping(text, last) ? [text.replaceAll(last, ''), ''] : null
  }
  const grouping = last === '.' ? ',' : '.'
  if (after.length > places || !hasGrouping(before, grouping)) return null
  return [before.replaceAll(grouping, ''), after]
}

const groupingPatterns = { ',': /^[1-9]\d{0,2}(?:,\d{3})+$/, '.': /^[1-9]\d{0,2}(?:\.\d{3})+$/ }
const hasGrouping = (text: string, separator: string): boolean =>
  (separator === ',' ? groupingPatterns[','] : groupingPatterns['.']).test(text)
