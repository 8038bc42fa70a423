import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { minor, priceUnits } from '../../contract/units.ts'
import {
  settle,
  interruptedOutcomeOf,
  type Gap,
  type R1Terms,
  type SettleOrder,
  type SettleSource,
  type SettleTick,
} from '../../contract/settle.ts'

/** Rule R1 implemented independently of the code under test, as literally as the contract words it. */
export function settleOracle(
  t: R1Terms,
  o: SettleOrder,
  ticks: SettleTick[],
  gaps: Gap[],
  sources: SettleSource[],
) {
  const change = changeOracle(t, o, sources)
  const lastAt = change === null ? o.closeAt : change.at
  const limit = Math.min(o.acceptedAt + t.entryTimeoutMs, o.closeAt, lastAt)
  const entries = ticks.filter((x) => o.acceptedAt < x.at && x.at <= limit).sort((a, b) => a.seq - b.seq)
  const entry = entries[0] ?? null
  const exits = ticks.filter((x) => x.at <= lastAt).sort((a, b) => b.seq - a.seq)
  const exit = entry === null ? null : (exits[0] ?? null)
  const hits = (g: Gap, a: number, b: number) => g.from < b && (g.to === null || a < g.to)
  const early = gaps.filter((g) => hits(g, o.acceptedAt, entry === null ? limit : entry.at))
  const late = exit === null ? [] : gaps.filter((g) => hits(g, exit.at, o.closeAt))
  const down = [...early, ...late].sort((a, b) => a.from - b.from)[0]
  let reason: string | null = null
  if (change !== null) reason = 'SOURCE_CHANGED'
  else if (down !== undefined) reason = 'FEED_DOWN'
  else if (entry === null) reason = 'NO_ENTRY'
  else if (exit!.seq === entry.seq) reason = 'ONE_TICK'
  else if (o.closeAt - exit!.at > t.maxTickGapMs) reason = 'STALE_EXIT'
  const diff = entry === null ? 0 : exit!.price - entry.price
  const right = o.direction === 'up' ? diff : -diff
  const win = Math.floor((o.amount * t.rateBp) / 10_000)
  const sum = right > 0 ? win : right < 0 ? 0 - o.amount : 0
  const side = right > 0 ? 'ahead' : right < 0 ? 'behind' : 'level'
  const from = { reason, entry: entry?.seq ?? null, exit: exit?.seq ?? null }
  let interrupted: object | null = null
  if (change !== null) interrupted = { cause: { kind: 'source', at: change.source.sinceAt }, side, pnl: sum }
  else if (down !== undefined) {
    const cause = { kind: 'gap', at: down.from }
    // If the gap began before the entry, the order had none.
    const entered = entry !== null && entry.at <= down.from
    interrupted = entered ? { cause, side, pnl: sum } : { cause, side: 'level', pnl: 0 }
  }
  if (reason !== null) return { ...from, status: 'refunded', payout: o.amount, pnl: 0, interrupted }
  const status = right === 0 ? 'tied' : right > 0 ? 'won' : 'lost'
  return { ...from, status, payout: o.amount + sum, pnl: sum, interrupted }
}

/**
 * The last millisecond before the first instant of (acceptedAt, closeAt] with another source. Looks at each instant at
 * which the source can differ from that of the instant before.
 */
export function changeOracle(t: { source: string }, o: SettleOrder, sources: SettleSource[]) {
  const starts = [o.acceptedAt + 1, ...sources.map((s) => s.sinceAt + 1)]
  const instants = starts.filter((x) => x > o.acceptedAt && x <= o.closeAt).sort((a, b) => a - b)
  for (const instant of instants) {
    const running = sources.findLast((s) => s.sinceAt < instant)
    if (running !== undefined && running.fingerprint !== t.source) return { at: instant - 1, source: running }
  }
  return null
}

export const anyTicks = fc
  .array(fc.record({ dt: fc.integer({ min: 0, max: 4000 }), dp: fc.integer({ min: -2, max: 2 }) }), {
    maxLength: 40,
    // With the default size most walks are too short for an entry and an exit.
    size: 'max',
  })
  .map((steps) => {
    let at = 0
    let price = 100
    return steps.map((step, i) => {
      at += step.dt
      price = Math.max(1, price + step.dp)
      return { seq: i + 1, at, price: priceUnits(price) }
    })
  })
const gaps = fc.array(
  fc
    .record({
      from: fc.integer({ min: 0, max: 60_000 }),
      length: fc.option(fc.integer({ min: 0, max: 9000 })),
    })
    .map(({ from, length }) => ({ from, to: length === null ? null : from + length })),
  { minLength: 1, maxLength: 2 },
)
export const someGaps = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Gap[]>([]) },
  { weight: 1, arbitrary: gaps },
)
const someSources = fc
  .uniqueArray(
    fc.record({ sinceAt: fc.integer({ min: 0, max: 90_000 }), fingerprint: fc.constantFrom('a', 'b') }),
    {
      maxLength: 3,
      selector: (source) => source.sinceAt,
    },
  )
  .map((sources) => [{ sinceAt: -1, fingerprint: 'a' }, ...sources.sort((a, b) => a.sinceAt - b.sinceAt)])
/** Mostly a single source. */
export const anySources = fc.oneof(
  { weight: 2, arbitrary: fc.constant<SettleSource[]>([{ sinceAt: -1, fingerprint: 'a' }]) },
  { weight: 1, arbitrary: someSources },
)
export const anyTerms = fc.record({
  rule: fc.constant('R1' as const),
  priceDecimals: fc.constant(2),
  rateBp: fc.integer({ min: 0, max: 100_000 }),
  entryTimeoutMs: fc.integer({ min: 0, max: 40_000 }),
  maxTickGapMs: fc.integer({ min: 0, max: 40_000 }),
  source: fc.constant('a'),
})
export const anyOrder = fc
  .record({
    direction: fc.constantFrom('up' as const, 'down' as const),
    amount: fc.integer({ min: 1, max: 99_999_900 }).map(minor),
    acceptedAt: fc.integer({ min: 0, max: 30_000 }),
    seconds: fc.integer({ min: 1, max: 60 }),
  })
  .map(({ seconds, ...rest }) => ({ ...rest, closeAt: rest.acceptedAt + seconds * 1000 }))

/** How many cases were tried, how often each result occurred, and the smallest case on which the two disagree. */
export type Comparison = { tried: number; outcomes: Record<string, number>; violations: string[] }

/** Settles random terms, orders, ticks, gaps and sources by the contract and by the oracle. */
export function compareSettlements(runs: number, seed: number): Comparison {
  return runProperty(runs, seed, (count) =>
    fc.property(anyTerms, anyOrder, anyTicks, someGaps, anySources, (t, o, ticks, gaps, sources) => {
      const settlement = settle(t, o, ticks, gaps, sources)
      const { status, reason, payout, pnl, entry, exit } = settlement
      count(reason ?? status)
      const actual = {
        reason,
        entry: entry?.seq ?? null,
        exit: exit && 'seq' in exit ? exit.seq : null,
        status,
        payout,
        pnl: pnl + 0,
        interrupted: interruptedOutcomeOf(t, o, settlement, ticks, gaps, sources),
      }
      return isDeepStrictEqual(actual, settleOracle(t, o, ticks, gaps, sources))
    }),
  )
}

/** Settles random ticks with one at exactly `closeAt` and one 1 ms later: the first is the exit, the second never is. */
export function compareEdges(runs: number, seed: number): Comparison {
  const price = fc.integer({ min: 1, max: 1000 }).map(priceUnits)
  return runProperty(runs, seed, (count) =>
    fc.property(anyTerms, anyOrder, anyTicks, price, price, (t, o, ticks, at, after) => {
      const before = ticks.filter((tick) => tick.at <= o.closeAt)
      const edge = { seq: before.length + 1, at: o.closeAt, price: at }
      const late = { seq: edge.seq + 1, at: o.closeAt + 1, price: after }
      const both = settle(t, o, [...before, edge, late], [], [])
      count(both.reason ?? both.status)
      const exit = both.entry === null || isDeepStrictEqual(both.exit, edge)
      return exit && isDeepStrictEqual(both, settle(t, o, [...before, edge], [], []))
    }),
  )
}

export function runProperty<T>(
  runs: number,
  seed: number,
  property: (count: (result: string) => void) => fc.IProperty<T>,
): Comparison {
  const outcomes: Record<string, number> = {}
  const count = (result: string): void => void (outcomes[result] = (outcomes[result] ?? 0) + 1)
  const { failed, counterexample, numRuns } = fc.check(property(count), { numRuns: runs, seed })
  return {
    tried: numRuns,
    outcomes,
    violations: failed ? [`seed ${seed}: ${JSON.stringify(counterexample)}`] : [],
  }
}
