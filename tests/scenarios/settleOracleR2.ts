import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { minor, priceUnits } from '../../contract/units.ts'
import { formatUnits } from '../../contract/price.ts'
import {
  interruptedOutcomeOf,
  settle,
  type Gap,
  type R2Terms,
  type SettleOrder,
  type SettleSource,
  type SettleTick,
} from '../../contract/settle.ts'
import { anySources, changeOracle, runProperty, someGaps, type Comparison } from './settleOracle.ts'

/** A mean as an exact fraction: `num` / `den`, with the first and the last tick that were looked at. */
type Fraction = { num: bigint; den: bigint; from: number; to: number }

/**
 * Rule R2 written a second time, apart from the code under test, after the contract's text: plain loops, and fractions
 * of bigints. It is meant for terms that a product table may have, under which the entry is before the window.
 */
export function settleOracleR2(
  t: R2Terms,
  o: SettleOrder,
  ticks: SettleTick[],
  gaps: Gap[],
  sources: SettleSource[],
) {
  const change = changeOracle(t, o, sources)
  const lastAt = change === null ? o.closeAt : change.at
  const limit = o.acceptedAt + t.entryDelayMs + t.entryTimeoutMs
  let entry: SettleTick | null = null
  for (const x of ticks) {
    if (entry === null && x.at > o.acceptedAt + t.entryDelayMs && x.at <= limit && x.at <= lastAt) entry = x
  }
  const mean = entry === null ? null : meanOracle(t, ticks, entry, lastAt)

  const missing = (g: Gap, after: number, until: number) =>
    g.from < until && !(g.to !== null && g.to <= after)
  let down: Gap | null = null
  for (const g of gaps) {
    const atEntry = missing(g, o.acceptedAt, entry === null ? limit : entry.at)
    const inWindow = missing(g, o.closeAt - t.exitWindowMs, o.closeAt)
    if ((atEntry || inWindow) && (down === null || g.from < down.from)) down = g
  }
  let later = 0
  for (const x of ticks) if (entry !== null && x.seq > entry.seq && x.at <= o.closeAt) later += 1

  let reason: string | null = null
  if (change !== null) reason = 'SOURCE_CHANGED'
  else if (down !== null) reason = 'FEED_DOWN'
  else if (entry === null) reason = 'NO_ENTRY'
  else if (later === 0) reason = 'ONE_TICK'
  else if (mean === null) reason = 'STALE_EXIT'

  const exit = mean && { value: shown(mean, t), ticks: Number(mean.den), from: mean.from, to: mean.to }
  const found = { reason, entry: entry?.seq ?? null, exit }
  const interrupted = interruptedOracle(t, o, ticks, entry, change, down, reason)
  if (reason !== null) return { ...found, status: 'refunded', payout: o.amount, pnl: 0, interrupted }
  const sum = gain(o, t, entry!, mean!)
  const status = sum === 0 && isLevel(entry!, mean!) ? 'tied' : isRight(o, entry!, mean!) ? 'won' : 'lost'
  return { ...found, status, payout: o.amount + sum, pnl: sum, interrupted }
}

function meanOracle(t: R2Terms, ticks: SettleTick[], entry: SettleTick, closeAt: number): Fraction | null {
  const used: SettleTick[] = []
  for (const x of ticks) if (x.at > closeAt - t.exitWindowMs && x.at <= closeAt) used.push(x)
  if (used.length >= t.exitMinTicks) {
    const [from, to] = [used[0]!.seq, used.at(-1)!.seq]
    // Leaves out the lowest and the highest one by one.
    let out = (BigInt(used.length) * BigInt(t.exitCutBp)) / 10_000n
    for (; out > 0n; out -= 1n) {
      used.splice(used.indexOf(used.reduce((a, b) => (b.price < a.price ? b : a))), 1)
      used.splice(used.indexOf(used.reduce((a, b) => (b.price > a.price ? b : a))), 1)
    }
    return fraction(used, from, to)
  }
  const newest: SettleTick[] = []
  for (let i = ticks.length - 1; i >= 0 && newest.length < t.exitMinTicks; i--) {
    const x = ticks[i]!
    if (x.at <= closeAt && x.seq > entry.seq && x.at >= closeAt - t.maxTickGapMs) newest.unshift(x)
  }
  return newest.length === 0 ? null : fraction(newest, newest[0]!.seq, newest.at(-1)!.seq)
}

function fraction(ticks: SettleTick[], from: number, to: number): Fraction {
  let num = 0n
  for (const x of ticks) num += BigInt(x.price)
  return { num, den: BigInt(ticks.length), from, to }
}

/** Long division to one decimal more than a price has, rounded half up by the remainder. */
function shown({ num, den }: Fraction, t: R2Terms): string {
  const [whole, rest] = [(num * 10n) / den, (num * 10n) % den]
  const digits = String(rest * 2n >= den ? whole + 1n : whole).padStart(t.priceDecimals + 2, '0')
  return `${digits.slice(0, -t.priceDecimals - 1)}.${digits.slice(-t.priceDecimals - 1)}`
}

const isLevel = (entry: SettleTick, f: Fraction) => f.num === BigInt(entry.price) * f.den
const isRight = (o: SettleOrder, entry: SettleTick, f: Fraction) =>
  o.direction === 'up' ? f.num > BigInt(entry.price) * f.den : f.num < BigInt(entry.price) * f.den
function gain(o: SettleOrder, t: R2Terms, entry: SettleTick, f: Fraction): number {
  if (isLevel(entry, f)) return 0
  return isRight(o, entry, f) ? Number((BigInt(o.amount) * BigInt(t.rateBp)) / 10_000n) : 0 - o.amount
}

/** How a refunded order stood: before its window by the newest price, inside it by the mean of what had come. */
function interruptedOracle(
  t: R2Terms,
  o: SettleOrder,
  ticks: SettleTick[],
  entry: SettleTick | null,
  change: ReturnType<typeof changeOracle>,
  down: Gap | null,
  reason: string | null,
) {
  let cause: { kind: string; at: number } | null = null
  if (change !== null) cause = { kind: 'source', at: change.source.sinceAt }
  else if (reason === 'FEED_DOWN') cause = { kind: 'gap', at: down!.from }
  if (cause === null) return null
  if (entry === null || entry.at > cause.at) return { cause, side: 'level', pnl: 0 }
  const seen: SettleTick[] = []
  for (const x of ticks) if (x.at <= cause.at && x.at <= o.closeAt) seen.push(x)
  const newest = seen.at(-1)!
  let f = fraction([newest], newest.seq, newest.seq)
  // The mean so far, by the window of the order's own close.
  if (newest.at > o.closeAt - t.exitWindowMs) f = meanOracle(t, seen, entry, o.closeAt) ?? f
  const side = isLevel(entry, f) ? 'level' : isRight(o, entry, f) ? 'ahead' : 'behind'
  return { cause, side, pnl: gain(o, t, entry, f) }
}

export const anyR2Ticks = fc
  .array(
    fc.record({
      dt: fc.oneof(
        { weight: 4, arbitrary: fc.integer({ min: 0, max: 900 }) },
        { weight: 1, arbitrary: fc.integer({ min: 900, max: 9000 }) },
      ),
      dp: fc.integer({ min: -2, max: 2 }),
    }),
    { maxLength: 80, size: 'max' },
  )
  .chain((steps) =>
    // Also prices whose sums exceed what a number holds exactly.
    fc.constantFrom<number>(100, 1, 4_503_599_627_370_000).map((start) => {
      let at = 0
      let price = start
      return steps.map((step, i) => {
        at += step.dt
        price = Math.max(1, price + step.dp)
        return { seq: i + 1, at, price: priceUnits(price) }
      })
    }),
  )

/** Terms and an order such as a product table allows: the window begins after the last instant of an entry. */
export const anyR2Case = fc
  .record({
    priceDecimals: fc.integer({ min: 0, max: 5 }),
    rateBp: fc.integer({ min: 0, max: 100_000 }),
    entryDelayMs: fc.integer({ min: 0, max: 2000 }),
    entryTimeoutMs: fc.integer({ min: 1, max: 8000 }),
    maxTickGapMs: fc.integer({ min: 1, max: 20_000 }),
    exitWindowMs: fc.integer({ min: 1, max: 15_000 }),
    exitCutBp: fc.integer({ min: 0, max: 4999 }),
    exitMinTicks: fc.integer({ min: 1, max: 8 }),
    direction: fc.constantFrom('up' as const, 'down' as const),
    amount: fc.integer({ min: 1, max: 99_999_900 }).map(minor),
    acceptedAt: fc.integer({ min: 0, max: 12_000 }),
    more: fc.integer({ min: 0, max: 12 }),
  })
  .map(({ direction, amount, acceptedAt, more, ...rest }) => {
    const terms: R2Terms = { rule: 'R2', source: 'a', ...rest }
    const least = Math.ceil((rest.entryDelayMs + rest.entryTimeoutMs + rest.exitWindowMs) / 1000)
    const order: SettleOrder = { direction, amount, acceptedAt, closeAt: acceptedAt + (least + more) * 1000 }
    return { terms, order }
  })

/** Settles random orders by the contract's rule R2 and by the oracle. */
export function compareR2(runs: number, seed: number): Comparison {
  return runProperty(runs, seed, (count) =>
    fc.property(anyR2Case, anyR2Ticks, someGaps, anySources, ({ terms, order }, ticks, gaps, sources) => {
      const settlement = settle(terms, order, ticks, gaps, sources)
      const { status, reason, payout, pnl, entry, exit } = settlement
      count(reason ?? status)
      const mean = exit && 'sum' in exit ? exit : null
      const actual = {
        reason,
        entry: entry?.seq ?? null,
        exit: mean && {
          value: formatUnits(mean.value, terms.priceDecimals + 1),
          ticks: mean.ticks,
          from: mean.from,
          to: mean.to,
        },
        status,
        payout,
        pnl: pnl + 0,
        interrupted: interruptedOutcomeOf(terms, order, settlement, ticks, gaps, sources),
      }
      return isDeepStrictEqual(actual, settleOracleR2(terms, order, ticks, gaps, sources))
    }),
  )
}
