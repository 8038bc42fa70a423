/** Ticks in columns, consecutive from `seq0` on; prices and sizes in units. */
export type TickColumns = {
  seq0: number
  at: Float64Array
  price: Float64Array
  size: Float64Array
}

/** How many of the first `length` values of an ascending column are ≤ value. */
export function upperBound(column: Float64Array, value: number, length = column.length): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((column[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low
}
