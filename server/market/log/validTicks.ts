/**
 * Whether the log accepts the tick at index `i` of a flat list of (at, price, size): its instant in order, a price above
 * zero, no negative size, and all of them exact.
 */
export function isTick(values: readonly number[], i: number, notBefore: number, until: number): boolean {
  const [at = Number.NaN, price = Number.NaN, size = Number.NaN] = [values[i], values[i + 1], values[i + 2]]
  return (
    Number.isSafeInteger(at) &&
    at >= notBefore &&
    at <= until &&
    Number.isSafeInteger(price) &&
    price > 0 &&
    Number.isSafeInteger(size) &&
    size >= 0
  )
}

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
  let at = notBefore
  let areAllValid = true
  for (let i = 0; i < values.length; i += 3) {
    if (!isTick(values, i, at, until)) areAllValid = false
    else at = values[i] ?? at
  }
  if (areAllValid) return values
  const valid: number[] = []
  at = notBefore
  for (let i = 0; i < values.length; i += 3) {
    const tick = values.slice(i, i + 3)
    if (isTick(values, i, at, until)) {
      valid.push(...tick)
      at = values[i] ?? at
    } else onDropped(tick)
  }
  return valid
}
