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
  'status',
  'future-tick',
  'micros',
  'reject-all',
  'mute-after-join',
  'gone-symbol',
] as const
export type FaultKind = (typeof faultKinds)[number]

/** The faults of one product, the last one of the exchange: no other product may notice them. */
export const productFaultKinds = [
  'zero-price',
  'absurd-price',
  'ids-back',
  'burst',
  'future-tick',
  'micros',
  'reject-all',
  'mute-after-join',
  'gone-symbol',
] as const satisfies readonly FaultKind[]

/** A script of some faults within `spanMs`, of the kinds. */
export function randomFaults(
  next: () => number,
  spanMs: number,
  faults: number,
  kinds: readonly FaultKind[] = faultKinds,
): Fault[] {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)]!
  return Array.from({ length: faults }, (): Fault => {
    const kind = pick(kinds)
    let ms = Math.floor(10 ** (2 + next() * 2.2))
    let count = 1 + Math.floor(next() * 4)
    if (kind === 'skew') {
      ms = Math.floor((next() < 0.5 ? 450 : 10 ** (3 + next() * 4)) * (2 * next() - 1))
      count *= 5
    } else if (kind === 'future-tick') ms = Math.floor(10 ** (3 + next() * 5))
    else if (kind === 'burst') count = 50
    else if (kind === 'status') {
      count = pick([418, 429, 451, 503])
      ms = 5000 + Math.floor(next() * 35_000)
    }
    return {
      at: Math.floor(next() * spanMs),
      kind,
      ms,
      count,
      target: next() < 0.6 ? 'one' : 'all',
    }
  }).sort((a, b) => a.at - b.at)
}

const unitMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000 }

/**
 * Reads `half-open@30s`, `cut@10s:all`, `stall@5s+1500ms`, `drop@5sx3`, or several with commas.
 * @throws an error that names the part that cannot be read
 */
export function parseFaults(text: string): Fault[] {
  return text
    .split(',')
    .filter(Boolean)
    .map((part): Fault => {
      const match = /^([a-z-]+)@(\d+)(ms|s|m|h)(?:\+(\d+)(ms|s|m|h))?(?:x(\d+))?(?::(one|all))?$/.exec(
        part.trim(),
      )
      const kind = faultKinds.find((each) => each === match?.[1])
      if (!match || !kind)
        throw new Error(`${part} is no fault: write KIND@10s, one of ${faultKinds.join(', ')}`)
      const toMs = (digits: string, unit: string | undefined): number =>
        Number(digits) * (unitMs[unit ?? ''] ?? 1)
      return {
        at: toMs(match[2]!, match[3]),
        kind,
        ...(match[4] !== undefined && { ms: toMs(match[4], match[5]) }),
        ...(match[6] !== undefined && { count: Number(match[6]) }),
        target: match[7] === 'one' ? 'one' : 'all',
      }
    })
}
