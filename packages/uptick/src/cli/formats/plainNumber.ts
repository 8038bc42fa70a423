import { plainDecimal } from '../../../../../contract/decimalText.ts'

const [zero, nine, point] = ['0', '9', '.'].map((char) => char.charCodeAt(0)) as [number, number, number]
const number = /^\d+(\.\d*)?([eE][+-]?\d+)?$/

/**
 * A number from zero on as a recording has it: without an exponent, and without zeros at its end; undefined if the text is
 * none. Digit by digit, because a file has millions of them.
 */
export function plainNumber(text: string): string | undefined {
  let [pointAt, last] = [-1, -1]
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char === point && pointAt < 0 && i > 0) pointAt = last = i
    else if (char < zero || char > nine)
      return number.test(text) ? plainDigits(plainDecimal(text)) : undefined
    else if (char !== zero) last = i
  }
  if (text === '') return undefined
  return pointAt < 0 ? text : text.slice(0, last === pointAt ? pointAt : last + 1)
}

/** Of what `plainNumber` returns. */
export const isAboveZero = (plain: string): boolean => plain.charCodeAt(0) !== zero || Number(plain) > 0

/** Digits without zeros at the end, so that a file has the decimals that its prices use. */
export const plainDigits = (digits: string): string =>
  digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits
