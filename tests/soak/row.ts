/** One promise of the venue as one run of the campaign found it. */
export type Row = {
  /** The promise's number in `SECURITY.md`, such as `S5`; a letter behind it tells parts of one promise apart. */
  id: string
  /** What was tried, in a few words. */
  what: string
  /** How often it was tried. */
  tried: number
  /** How often the promise was broken; the campaign fails with one. */
  broken: number
  /** Figures worth keeping, such as `p99 210 ms`. */
  note?: string
}

export type SoakRun = {
  /** Every random choice follows from it, so that a printed seed replays the run. */
  seed: number
  /** Progress, to stderr. */
  log: (line: string) => void
}
