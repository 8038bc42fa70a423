import { minor, type Bp, type Minor } from './units.ts'

/** Money on the wire: a sign only if the value can be negative, no leading zeros, exactly two decimals. */
export const moneyPattern = /^-?(0|[1-9]\d{0,12})\.\d{2}$/
/** An amount that a member may request: no sign. */
export const amountPattern = /^(0|[1-9]\d{0,12})\.\d{2}$/

/** Reads `"1234.50"` as 123450 minor units; undefined for any other text. */
export function parseMoney(text: string): Minor | undefined {
  if (!moneyPattern.test(text)) return undefined
  const units = Number(text.replace('.', ''))
  return Number.isSafeInteger(units) ? minor(units === 0 ? 0 : units) : undefined
}

/** Like {@link parseMoney}, for text already validated by the contract. Throws RangeError otherwise. */
export function moneyOf(text: string): Minor {
  const value = parseMoney(text)
  if (value === undefined) throw new RangeError(`not money: ${text}`)
  return value
}

/** Writes minor units as the contract's decimal string: 123450 → `"1234.50"`. */
export function formatMoney(value: Minor): string {
  const digits = Math.abs(value).toString().padStart(3, '0')
  return `${value < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export const addMoney = (...values: Minor[]): Minor => minor(values.reduce((sum, value) => sum + value, 0))
export const negate = (value: Minor): Minor => minor(0 - value)

/** The profit of a won order: floor(amount × rateBp / 10,000), in BigInt because the product can exceed 2^53. */
export function winProfit(amount: Minor, rateBp: Bp | number): Minor {
  return minor(Number((BigInt(amount) * BigInt(rateBp)) / 10_000n))
}

/** The fraction of won orders at which a rate breaks even: 1 / (1 + rate). */
export const breakEvenRate = (rateBp: Bp | number): number => 1 / (1 + rateBp / 10_000)
