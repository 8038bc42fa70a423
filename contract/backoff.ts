/**
 * The pause in ms after failure number `count`, which counts from 1: `baseMs` after the first, doubled with each
 * further one, at most `maxMs`.
 */
export const backoffMs = (count: number, baseMs: number, maxMs: number): number =>
  Math.min(maxMs, baseMs * 2 ** (count - 1))
