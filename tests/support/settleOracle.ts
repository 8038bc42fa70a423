import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { minor } from '../../contract/brand.ts'
import { settle } from '../../contract/settle.ts'
import type { Gap, SettleOrder, SettleTick, Terms } from '../../contract/settle.ts'

/** The rule once more, written apart from the code under test and as literally as the contract words it. */
export function settleOracle(t: Terms, o: SettleOrder, ticks: SettleTick[], gaps: Gap[]) {
  const limit = o.acceptedAt + t.entryTimeoutMs < o.closeAt ? o.acceptedAt + t.entryTimeoutMs : o.closeAt
  const entries = ticks.filter((x) => o.acceptedAt < x.at && x.at <= limit).sort((a, b) => a.seq - b.seq)
  const entry = entries[0] ?? null
  const exits = ticks.filter((x) => x.at <= o.closeAt).sort((a, b) => b.seq - a.seq)
  const exit = entry === null ? null : (exits[0] ?? null)
  const hit = (a: number, b: number) => gaps.some((g) => g.from < b && (g.to === null || a < g.to))
  const down = entry === null ? hit(o.acceptedAt, limit) : hit(o.acceptedAt, entry.at)
  let reason: string | null = null
  if (down || (exit !== null && hit(exit.at, o.closeAt))) reason = 'FEED_DOWN'
  else if (entry === null) reason = 'NO_ENTRY'
  else if (exit!.seq === entry.seq) reason = 'ONE_TICK'
  else if (o.closeAt - exit!.at > t.maxTickGapMs) reason = 'STALE_EXIT'
  const from = { reason, entry: entry?.seq ?? null, exit: exit?.seq ?? null }
  if (reason !== null) return { ...from, status: 'refunded', payout: o.amount, pnl: 0 }
  const diff = exit!.price - entry!.price
  if (diff === 0) return { ...from, status: 'tied', payout: o.amount, pnl: 0 }
  if ((diff > 0 && o.direction === 'up') || (diff < 0 && o.direction === 'down')) {
    const win = Math.floor((o.amount * t.rateBp) / 10_000)
    return { ...from, status: 'won', payout: o.amount + win, pnl: win }
  }
  return { ...from, status: 'lost', payout: 0, pnl: 0 - o.amount }
}

export const walk = fc
  .array(fc.record({ dt: fc.integer({ min: 0, max: 4000 }), dp: fc.integer({ min: -2, max: 2 }) }), {
    maxLength: 40,
    // Without it most walks would be too short for an entry and an exit.
    size: 'max',
  })
  .map((steps) => {
    let at = 0
    let price = 100
    return steps.map((step, i) => {
      at += step.dt
      price = Math.max(1, price + step.dp)
      return { seq: i + 1, at, price }
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
const someGaps = fc.oneof({ weight: 2, arbitrary: fc.constant<Gap[]>([]) }, { weight: 1, arbitrary: gaps })
export const anyTerms = fc.record({
  rule: fc.constant('R1'),
  priceDecimals: fc.constant(2),
  rateBp: fc.integer({ min: 0, max: 100_000 }),
  entryTimeoutMs: fc.integer({ min: 0, max: 40_000 }),
  maxTickGapMs: fc.integer({ min: 0, max: 40_000 }),
})
export const anyOrder = fc
  .record({
    direction: fc.constantFrom('up' as const, 'down' as const),
    amount: fc.integer({ min: 1, max: 99_999_900 }).map(minor),
    acceptedAt: fc.integer({ min: 0, max: 30_000 }),
    seconds: fc.integer({ min: 1, max: 60 }),
  })
  .map(({ seconds, ...rest }) => ({ ...rest, closeAt: rest.acceptedAt + seconds * 1000 }))

/** How many cases were tried, how often each result came, and the smallest case found on which the two disagree. */
export type Compared = { tried: number; seen: Record<string, number>; broken: string[] }

/** Random terms, orders, ticks and gaps, each settled by the contract and by the oracle. */
export function compareSettlements(runs: number, seed: number): Compared {
  return compared(runs, seed, (see) =>
    fc.property(anyTerms, anyOrder, walk, someGaps, (t, o, ticks, gaps) => {
      const { status, reason, payout, pnl, entry, exit } = settle(t, o, ticks, gaps)
      see(reason ?? status)
      const found = {
        reason,
        entry: entry?.seq ?? null,
        exit: exit?.seq ?? null,
        status,
        payout,
        pnl: pnl + 0,
      }
      return isDeepStrictEqual(found, settleOracle(t, o, ticks, gaps))
    }),
  )
}

/** Random ticks with one at exactly `closeAt` and one 1 ms later: the first is the exit, the second never is. */
export function compareEdges(runs: number, seed: number): Compared {
  const price = fc.integer({ min: 1, max: 1000 })
  return compared(runs, seed, (see) =>
    fc.property(anyTerms, anyOrder, walk, price, price, (t, o, ticks, at, after) => {
      const before = ticks.filter((tick) => tick.at <= o.closeAt)
      const edge = { seq: before.length + 1, at: o.closeAt, price: at }
      const late = { seq: edge.seq + 1, at: o.closeAt + 1, price: after }
      const both = settle(t, o, [...before, edge, late], [])
      see(both.reason ?? both.status)
      const exit = both.entry === null || both.exit?.seq === edge.seq
      return exit && isDeepStrictEqual(both, settle(t, o, [...before, edge], []))
    }),
  )
}

function compared<T>(
  runs: number,
  seed: number,
  property: (see: (result: string) => void) => fc.IProperty<T>,
): Compared {
  const seen: Record<string, number> = {}
  const see = (result: string): void => void (seen[result] = (seen[result] ?? 0) + 1)
  const { failed, counterexample, numRuns } = fc.check(property(see), { numRuns: runs, seed })
  return { tried: numRuns, seen, broken: failed ? [`seed ${seed}: ${JSON.stringify(counterexample)}`] : [] }
}
