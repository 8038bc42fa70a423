/** One row of the table: a measurement and its limit. Benches report and never fail. */
export type Row = {
  /** The number of the performance target: P1 … P18. */
  id: string
  what: string
  value: number
  unit: string
  /** Undefined if the value is only reported. */
  limit?: string
  ok?: boolean
}

/** Callers interleave the runs of both sides, so that a slow moment of the machine affects both. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** A repeatable generator of integers in 0 … 2³² − 1. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}
