import { sliceProvenance, type Provenance } from './provenance.ts'

/** Ticks in columns, consecutive from `seq0` on; prices and sizes in units. */
export type TickColumns = {
  seq0: number
  at: Float64Array
  price: Float64Array
  size: Float64Array
  /** Absent if no tick is of a live source. */
  provenance?: Provenance | undefined
}

/** The ticks of columns from index `from` up to but excluding `to`; shares their memory. */
export function sliceColumns(ticks: TickColumns, from: number, to: number): TickColumns {
  return {
    seq0: ticks.seq0 + from,
    at: ticks.at.subarray(from, to),
    price: ticks.price.subarray(from, to),
    size: ticks.size.subarray(from, to),
    provenance: sliceProvenance(ticks.provenance, from, to),
  }
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
