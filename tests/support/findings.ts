/** What a driver tried and what it found broken: the short test expects nothing, the campaign counts. */
export type Findings = { tried: number; violations: string[] }

/** Collects what a driver finds. */
export function findings() {
  const found: Findings = { tried: 0, violations: [] }
  return {
    found,
    /** One try of a promise; what is said of it is why it was broken. */
    expect: (holds: boolean, why: () => string): void => {
      found.tried += 1
      if (!holds) found.violations.push(why())
    },
  }
}

/** Findings of several runs as one. */
export const mergeFindings = (all: readonly Findings[]): Findings => ({
  tried: all.reduce((sum, { tried }) => sum + tried, 0),
  violations: all.flatMap(({ violations: broken }) => broken),
})
