/**
 * A text in which values were filled in, without the full stop that follows one that ends in a stop of its own: "30. Nov."
 * in German, or a whole sentence.
 */
export function withOneStop(text: string, values: Iterable<unknown>): string {
  let result = text
  for (const value of values)
    if (typeof value === 'string' && /[.。!?！？…]$/.test(value))
      result = result.replaceAll(`${value}.`, () => value).replaceAll(`${value}。`, () => value)
  return result
}
