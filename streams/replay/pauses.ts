import type { TradingPause } from '../../contract/recording.ts'

/** The silences longer than `closedMs`: from the last tick before to the first one after. */
export function pausesOf(at: Float64Array, closedMs: number): TradingPause[] {
  const pauses: TradingPause[] = []
  for (let n = 1; n < at.length; n++) {
    const [closesAt, opensAt] = [at[n - 1] ?? 0, at[n] ?? 0]
    if (opensAt - closesAt > closedMs) pauses.push({ closesAt, opensAt })
  }
  return pauses
}
