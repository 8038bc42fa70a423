/** Whether the log accepts a tick: its instant in order, a price above zero, no negative size, and all of them exact. */
export const isTick = (at: number, price: number, size: number, notBefore: number, until: number): boolean =>
  Number.isSafeInteger(at) &&
  at >= notBefore &&
  at <= until &&
  Number.isSafeInteger(price) &&
  price > 0 &&
  Number.isSafeInteger(size) &&
  size >= 0

/**
 * Drops invalid ticks from a flat list of (at, price, size). A computed feed never has any, so the list itself is
 * returned if all are valid.
 */
export function validTicks(
  values: readonly number[],
  notBefore: number,
  until: number,
  onDropped: (tick: readonly number[]) => void,
): readonly number[] {
  const isValid = (i: number, from: number): boolean =>
    isTick(values[i] ?? Number.NaN, values[i + 1] ?? Number.NaN, values[i + 2] ?? Number.NaN, from, until)
  let at = notBefore
  let areAllValid = true
  for (let i = 0; i < values.length; i += 3) {
    if (isValid(i, at)) at = values[i] ?? at
    else areAllValid = false
  }
  if (areAllValid) return values
  const valid: number[] = []
  at = notBefore
  for (let i = 0; i < values.length; i += 3) {
    const tick = values.slice(i, i + 3)
    if (isValid(i, at)) {
      valid.push(...tick)
      at = values[i] ?? at
    } else onDropped(tick)
  }
  return valid
}
