/** ("2", "5", −7) → "0.00000025": the plain text of `whole.fraction` times 10 to the `exponent`. */
export function withoutExponent(whole: string, fraction: string, exponent: number): string {
  const digits = `${'0'.repeat(Math.max(0, -exponent))}${whole}${fraction}${'0'.repeat(Math.max(0, exponent))}`
  const point = Math.max(0, -exponent) + whole.length + exponent
  const [before, after] = [digits.slice(0, point).replace(/^0+(?=\d)/, ''), digits.slice(point)]
  return after === '' ? before : `${before}.${after}`
}

const exponentPattern = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,2})$/

/** "5e-05" → "0.00005", as pandas and others write small numbers; every other text as it is. */
export const plainDecimal = (text: string): string =>
  text.replace(
    exponentPattern,
    (_, sign: string, whole: string, fraction: string | undefined, exponent: string) =>
      `${sign}${withoutExponent(whole, fraction ?? '', Number(exponent))}`,
  )
