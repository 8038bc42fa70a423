/** The result for one guarantee of the venue. */
export type Row = {
  /** The guarantee's number in `SECURITY.md`, such as `S5`; a letter after it marks a part of the guarantee. */
  id: string
  /** What was tried, in a few words. */
  what: string
  /** How often it was tried. */
  tried: number
  /** How often the guarantee was broken; the run fails with one. */
  broken: number
  /** Further measurements, such as `p99 210 ms`. */
  note?: string
}

export type SoakRun = {
  /** Determines every random choice, so that a printed seed replays the run. */
  seed: number
  /** Progress, to stderr. */
  log: (line: string) => void
}

/** The value that this share of all values does not exceed; 0 of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(share * sorted.length) - 1] ?? 0
}

/** Times as a row's note shows them. */
export function spread(values: readonly number[]): string {
  const at = (share: number): number => Math.round(percentile(values, share))
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`
}
