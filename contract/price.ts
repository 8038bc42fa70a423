import { priceUnits, sizeUnits, type PriceUnits, type SizeUnits } from './units.ts'

const [zero, nine, point, minus] = ['0', '9', '.', '-'].map((char) => char.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
]

/** Integer → decimal text with exactly `decimals` places: (114278, 5) → `"1.14278"`. */
export function formatUnits(units: number | bigint, decimals: number): string {
  const digits = (units < 0 ? -units : units).toString().padStart(decimals + 1, '0')
  const whole = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  return units < 0 ? `-${whole}` : whole
}

export const formatPrice = (price: PriceUnits, priceDecimals: number): string =>
  formatUnits(price, priceDecimals)

/** Canonical size: no sign, no exponent, no trailing zeros, `"0"` for none. */
export function formatSize(size: SizeUnits, sizeDecimals: number): string {
  const text = formatUnits(size, sizeDecimals)
  return sizeDecimals === 0 ? text : text.replace(/\.?0+$/, '')
}

/** Reads decimal text at a scale, rounding half up; undefined if it is not a plain decimal or exceeds 2^53. */
export function parseRounded(text: string, decimals: number): number | undefined {
  return parseScaled(text, decimals, true)
}

/** As {@link parseRounded}, but truncating. */
export function parseTruncated(text: string, decimals: number): number | undefined {
  return parseScaled(text, decimals, false)
}

/** Reads a price in the wire format (exactly `priceDecimals` places, above zero). */
export function parsePrice(text: string, priceDecimals: number): PriceUnits | undefined {
  const units = parseScaled(text, priceDecimals, false)
  if (units === undefined || units <= 0) return undefined
  return formatUnits(units, priceDecimals) === text ? priceUnits(units) : undefined
}

/** Reads a canonical size (as {@link formatSize} writes it). */
export function parseSize(text: string, sizeDecimals: number): SizeUnits | undefined {
  const units = parseScaled(text, sizeDecimals, false)
  if (units === undefined || units < 0) return undefined
  return formatSize(sizeUnits(units), sizeDecimals) === text ? sizeUnits(units) : undefined
}

/** Digit by digit: a pattern takes three times as long. */
function parseScaled(text: string, decimals: number, round: boolean): number | undefined {
  const isNegative = text.charCodeAt(0) === minus
  const start = isNegative ? 1 : 0
  let units = 0
  /** Digits after the point; -1 before it. */
  let places = -1
  let carry = 0
  for (let i = start; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char === point && places < 0 && i > start) places = 0
    else {
      if (char < zero || char > nine) return undefined
      if (places < decimals) units = units * 10 + (char - zero)
      else if (places === decimals && round && !isNegative && char - zero >= 5) carry = 1
      if (places >= 0) places++
    }
  }
  if (text.length === start || places === 0) return undefined
  for (let place = Math.max(0, places); place < decimals; place++) units *= 10
  units += carry
  if (!Number.isSafeInteger(units)) return undefined
  return isNegative && units !== 0 ? -units : units
}

/**
 * The change of a 24-hour window in basis points: round((last − base) × 10,000 / base), halves upward as
 * `Math.round` does. Zero if there is no base.
 */
export function changeBp(last: number, base: number): number {
  if (base <= 0) return 0
  const numerator = 20_000n * (BigInt(last) - BigInt(base)) + BigInt(base)
  const divisor = 2n * BigInt(base)
  const quotient = numerator / divisor
  return Number(numerator < 0n && numerator % divisor !== 0n ? quotient - 1n : quotient)
}

/** Formats Σ price × size, an exact BigInt at `priceDecimals + sizeDecimals` places, truncated to two decimals. */
export function formatTurnover(turnover: bigint, decimals: number): string {
  const cents =
    decimals >= 2 ? turnover / 10n ** BigInt(decimals - 2) : turnover * 10n ** BigInt(2 - decimals)
  const digits = cents.toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
