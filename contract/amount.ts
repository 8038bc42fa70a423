import type { Minor } from './brand.ts'
import { minor } from './brand.ts'
import { formatMoney, parseMoney } from './money.ts'
import { amountDecimals, amountMax } from './constants.ts'

/**
 * What an amount field keeps while a member types: digits and one dot, at most two decimals.
 * Full-width digits and dots (an IME's) become plain ones; a single comma that can only be a decimal
 * separator ("12,5" from a German keyboard) is read as a dot, and grouping commas are dropped.
 */
export function typedAmount(raw: string): string {
  const plain = toPlainDigits(raw)
  const text = plain.includes('.') ? plain.replaceAll(',', '') : commaAsDot(plain)
  const kept = text.replace(/[^\d.]/g, '')
  const dot = kept.indexOf('.')
  if (dot < 0) return kept
  const decimals = kept
    .slice(dot + 1)
    .replaceAll('.', '')
    .slice(0, amountDecimals)
  return `${kept.slice(0, dot)}.${decimals}`
}

/**
 * What the field holds when the member leaves it: two decimals, zero or less becomes 1, and no more than
 * the smaller of `max` and the specification's 999999. An empty field stays empty.
 */
export function settledAmount(typed: string, max: Minor = amountMax): { text: string; capped: boolean } {
  const value = amountOf(typed)
  if (value === undefined) return { text: '', capped: false }
  const limit = minor(Math.max(0, Math.min(max, amountMax)))
  const positive = value <= 0 ? minor(100) : value
  const capped = positive > limit && limit > 0
  return { text: formatMoney(capped ? limit : positive), capped }
}

/** The amount a typed text stands for; undefined where there is none yet. More digits than money has count as the most. */
export function amountOf(typed: string): Minor | undefined {
  const text = typedAmount(typed)
  if (text === '' || text === '.') return undefined
  const [whole = '', decimals = ''] = text.split('.')
  const trimmed = whole.replace(/^0+(?=\d)/, '') || '0'
  return parseMoney(`${trimmed}.${decimals.padEnd(amountDecimals, '0')}`) ?? minor(Number.MAX_SAFE_INTEGER)
}

/** A share of the available amount in whole percent, cut to the cent and to the largest amount allowed. */
export function quickAmount(available: Minor, percent: number, max: Minor): Minor {
  const share = Number((BigInt(Math.max(0, available)) * BigInt(percent)) / 100n)
  return minor(Math.min(share, max))
}

function toPlainDigits(raw: string): string {
  return raw
    .replace(/[０-９]/g, (digit) => String.fromCodePoint((digit.codePointAt(0) ?? 0) - 0xfe_e0))
    .replace(/[．。｡]/g, '.')
    .replace(/[，､]/g, ',')
}

function commaAsDot(text: string): string {
  const parts = text.split(',')
  const decimalComma = parts.length === 2 && (parts[1]?.replace(/\D/g, '').length ?? 0) <= amountDecimals
  return decimalComma ? text.replace(',', '.') : text.replaceAll(',', '')
}
