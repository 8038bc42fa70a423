/** Converts full-width digits, letters and spaces (from an input method) to plain ones. */
export const toHalfWidth = (text: string): string =>
  text
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) - 0xfe_e0))
    .replaceAll('\u3000', ' ')

const isDigit = (codePoint: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(codePoint))

/** Converts the digits of every script, such as Thai ones, to 0–9: in each they stand in a row of ten, from zero. */
export const toPlainDigits = (text: string): string =>
  text.replace(/\p{Nd}/gu, (digit) => {
    const codePoint = digit.codePointAt(0) ?? 0
    let zero = codePoint
    while (isDigit(zero - 1)) zero -= 1
    return String((codePoint - zero) % 10)
  })

/** Removes characters without a width or a meaning of their own, such as marks of direction, which are pasted unseen. */
export const withoutInvisible = (text: string): string => text.replace(/\p{Cf}/gu, '')

/** A code or a number as it was typed or pasted, with plain digits and without what is not seen. */
export const toPlainSigns = (text: string): string => toPlainDigits(withoutInvisible(toHalfWidth(text)))
