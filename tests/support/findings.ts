/** What a driver tried and what it found broken: the short test expects nothing, the campaign counts. */
export type Findings = { tried: number; broken: string[] }

/** Collects what a driver finds. */
export function findings() {
  const found: Findings = { tried: 0, broken: [] }
  return {
    found,
    /** One try of a promise; what is said of it is why it was broken. */
    expect: (holds: boolean, why: () => string): void => {
      found.tried += 1
      if (!holds) found.broken.push(why())
    },
  }
}

/** Findings of several runs as one. */
export const merged = (all: readonly Findings[]): Findings => ({
  tried: all.reduce((sum, { tried }) => sum + tried, 0),
  broken: all.flatMap(({ broken }) => broken),
})
