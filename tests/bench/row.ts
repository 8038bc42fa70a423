/** One line of the table: what was measured, and the limit it is held against. Benches report, they never fail. */
export type Row = {
  /** The aim's number in the table of promises: P1 … P11. */
  id: string
  what: string
  value: number
  unit: string
  /** Undefined for a figure that is only told. */
  limit?: string
  ok?: boolean
}

/** Runs are interleaved by the caller, so that a slow moment of the machine hits both sides. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** A repeatable source of numbers in 0 … 2³² − 1. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}
