/**
 * A sum of integers that may exceed 2^53, as two numbers: high × 2^52 + low. A day's turnover in units soon exceeds
 * 2^53, and the rounding error of a float would be visible in the cents; a BigInt per tick would be slow. Exact up to
 * 2^105, far above the turnover of any product.
 */
export type ExactSum = { high: number; low: number }

const base = 2 ** 52
const baseBig = 2n ** 52n

export const emptySum = (): ExactSum => ({ high: 0, low: 0 })

/** Adds an integer from 0 to 2^53 − 1. */
export function addTo(sum: ExactSum, value: number): void {
  if (value >= base) {
    sum.high += 1
    sum.low += value - base
  } else {
    sum.low += value
  }
  if (sum.low >= base) {
    sum.high += 1
    sum.low -= base
  }
}

/** Adds a × b without rounding. */
export function addMultipliedTo(sum: ExactSum, a: number, b: number): void {
  const approximate = a * b
  if (approximate < base) {
    addTo(sum, approximate)
    return
  }
  const exact = BigInt(a) * BigInt(b)
  sum.high += Number(exact / baseBig)
  addTo(sum, Number(exact % baseBig))
}

export function addSumTo(sum: ExactSum, high: number, low: number): void {
  sum.high += high
  addTo(sum, low)
}

export const toBigInt = (sum: ExactSum): bigint => BigInt(sum.high) * baseBig + BigInt(sum.low)
/** The nearest float, for candles: their volumes are sent as numbers. */
export const toFloat = (high: number, low: number): number => high * base + low
