/** How many checks a driver made and which failed: the short test expects none, the soak run counts them. */
export type Findings = { tried: number; violations: string[] }

/** Collects the findings of one run. */
export function findings() {
  const found: Findings = { tried: 0, violations: [] }
  return {
    found,
    /** Counts one check; `why` describes the violation if it does not hold. */
    expect: (holds: boolean, why: () => string): void => {
      found.tried += 1
      if (!holds) found.violations.push(why())
    },
  }
}

/** Merges the findings of several runs. */
export const mergeFindings = (all: readonly Findings[]): Findings => ({
  tried: all.reduce((sum, { tried }) => sum + tried, 0),
  violations: all.flatMap(({ violations }) => violations),
})
