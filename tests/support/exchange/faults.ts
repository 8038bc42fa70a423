/** What goes wrong, when (ms after the start), for how long or how often, and on one connection or all of them. */
export type Fault = { at: number; kind: FaultKind; ms?: number; count?: number; target?: 'one' | 'all' }

export const faultKinds = [
  'drop',
  'duplicate',
  'reorder',
  'stall',
  'slow',
  'half-open',
  'pong-only',
  'cut',
  'cut-in-message',
  'shutdown',
  'skew',
  'bad-json',
  'zero-price',
  'absurd-price',
  'wrong-symbol',
  'ids-back',
  'burst',
  'closed',
] as const
export type FaultKind = (typeof faultKinds)[number]

/** A script of some faults within `spanMs`. */
export function randomFaults(next: () => number, spanMs: number, count: number): Fault[] {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)]!
  return Array.from({ length: count }, (): Fault => {
    const kind = pick(faultKinds)
    const ms = kind === 'skew' ? Math.floor(next() * 900) - 450 : Math.floor(10 ** (2 + next() * 2.2))
    return {
      at: Math.floor(next() * spanMs),
      kind,
      ms,
      count: kind === 'burst' ? 50 : 1 + Math.floor(next() * 4),
      target: next() < 0.6 ? 'one' : 'all',
    }
  }).sort((a, b) => a.at - b.at)
}

/**
 * Reads `half-open@30s`, `cut@10s:all`, `stall@5s+1500ms`, `drop@5sx3`, or several with commas.
 * @throws an error that names the part that cannot be read
 */
export function parseFaults(text: string): Fault[] {
  return text
    .split(',')
    .filter(Boolean)
    .map((part): Fault => {
      const match = /^([a-z-]+)@(\d+)(ms|s)(?:\+(\d+)(ms|s))?(?:x(\d+))?(?::(one|all))?$/.exec(part.trim())
      const kind = faultKinds.find((each) => each === match?.[1])
      if (!match || !kind)
        throw new Error(`${part} is no fault: write KIND@10s, one of ${faultKinds.join(', ')}`)
      const toMs = (digits: string, unit: string | undefined): number =>
        Number(digits) * (unit === 's' ? 1000 : 1)
      return {
        at: toMs(match[2]!, match[3]),
        kind,
        ...(match[4] !== undefined && { ms: toMs(match[4], match[5]) }),
        ...(match[6] !== undefined && { count: Number(match[6]) }),
        target: match[7] === 'one' ? 'one' : 'all',
      }
    })
}
