import { describe, expect, it } from 'vitest'
import { minor, priceUnits } from '../../contract/units.ts'
import {
  entryLimit,
  interruptedOutcomeOf,
  meanValue,
  pnlAt,
  settle,
  valuationOf,
  type Gap,
  type R2Terms,
  type SettleOrder,
  type SettleSource,
  type SettleTick,
} from '../../contract/settle.ts'
import { fc } from '../support/fastCheck.ts'
import { anyR2Case, anyR2Ticks, compareR2 } from '../scenarios/settleOracleR2.ts'
import { anySources } from '../scenarios/settleOracle.ts'
import { testSeed } from '../support/testSeed.ts'

/** Accepted at 1,000, so the entry is in (1,500, 11,500] and the window is (21,000, 31,000]. */
const terms: R2Terms = {
  rule: 'R2',
  priceDecimals: 2,
  rateBp: 8500,
  entryDelayMs: 500,
  entryTimeoutMs: 10_000,
  maxTickGapMs: 15_000,
  exitWindowMs: 10_000,
  exitCutBp: 2000,
  exitMinTicks: 5,
  source: 'a',
}
const order: SettleOrder = { direction: 'up', amount: minor(10_000), acceptedAt: 1000, closeAt: 31_000 }
const tick = (seq: number, at: number, price: number): SettleTick => ({ seq, at, price: priceUnits(price) })
const run = (
  ticks: SettleTick[],
  gaps: Gap[] = [],
  change: Partial<SettleOrder> = {},
  t: Partial<R2Terms> = {},
) => settle({ ...terms, ...t }, { ...order, ...change }, ticks, gaps, [])

const entry = tick(1, 2000, 100)
/** Ticks in the window, a second apart, after the entry. */
const windowOf = (...prices: number[]): SettleTick[] => [
  entry,
  ...prices.map((price, i) => tick(i + 2, 22_000 + i * 1000, price)),
]

describe('entry', () => {
  it('is later than the delay: a tick at its end does not count, 1 ms later does', () => {
    expect(run([tick(1, 1500, 1), tick(2, 1501, 2)]).entry?.seq).toBe(2)
  })
  it('has the whole timeout after the delay: the last millisecond counts, the next one does not', () => {
    expect(run([tick(1, 11_500, 1)]).entry?.seq).toBe(1)
    expect(run([tick(1, 11_501, 1)]).entry).toBeNull()
    expect(entryLimit(terms, order)).toBe(11_500)
  })
  it('never is after the close, with terms that no product table may have', () => {
    expect(run([tick(1, 31_001, 1)], [], {}, { entryTimeoutMs: 60_000 }).entry).toBeNull()
  })
})

describe('exit', () => {
  it.each<[string, number[], Partial<R2Terms>, string]>([
    ['five ticks lose one at each end', [900, 103, 101, 102, 1], {}, '1020 of 3'],
    ['nine ticks lose one at each end: 1.8 is cut down to 1', [9, 1, 2, 3, 4, 5, 6, 7, 8], {}, '50 of 7'],
    ['ten ticks lose two at each end', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], {}, '55 of 6'],
    ['nothing is cut at 0', [900, 1, 1, 1, 1], { exitCutBp: 0 }, '1808 of 5'],
    ['the highest cut leaves one of five', [900, 800, 103, 1, 2], { exitCutBp: 4999 }, '1030 of 1'],
    ['the highest cut leaves two of six', [900, 800, 103, 105, 1, 2], { exitCutBp: 4999 }, '1040 of 2'],
  ])('%s', (_, prices, changed, expected) => {
    const { exit } = run(windowOf(...prices), [], {}, changed)
    expect(exit && 'sum' in exit && `${exit.value} of ${exit.ticks}`).toBe(expected)
  })
  it('names the first and the last tick of the window, those that are cut included', () => {
    expect(run(windowOf(900, 101, 101, 101, 1)).exit).toEqual({
      value: 1010n,
      sum: 303n,
      ticks: 3,
      from: 2,
      to: 6,
    })
  })
  it('counts a tick at closeAt and one 1 ms after the window begins, not those beside them', () => {
    const ticks = [
      entry,
      tick(2, 21_000, 900),
      tick(3, 21_001, 101),
      tick(4, 31_000, 102),
      tick(5, 31_001, 900),
    ]
    expect(run(ticks, [], {}, { exitMinTicks: 2 }).exit).toMatchObject({ sum: 203n, from: 3, to: 4 })
  })
  it.each<[number, bigint]>([
    [4, 503n],
    [5, 300n],
  ])('with %i ticks in the window', (count, sum) => {
    const before = [entry, tick(2, 20_000, 103)]
    const inside = Array.from({ length: count }, (_, i) => tick(i + 3, 22_000 + i, 100))
    expect(run([...before, ...inside]).exit).toMatchObject({ sum })
  })
  it('with too few in the window: the newest after the entry, none cut, the entry never', () => {
    expect(run([entry, tick(2, 20_000, 102), tick(3, 30_000, 900)]).exit).toEqual({
      value: 5010n,
      sum: 1002n,
      ticks: 2,
      from: 2,
      to: 3,
    })
  })
  it('with too few in the window: a tick as old as maxTickGapMs counts, 1 ms older does not', () => {
    const ticks = [entry, tick(2, 15_999, 1), tick(3, 16_000, 102)]
    expect(run(ticks).exit).toMatchObject({ ticks: 1, from: 3 })
  })
  it('is none without an entry', () => {
    expect(run(windowOf(1, 2, 3, 4, 5).slice(1)).exit).toBeNull()
  })
  it('has a window that the entry is in, with terms that no product table may have', () => {
    const ticks = [1, 2, 3, 4, 5].map((i) => tick(i, 1400 + i * 1000, i))
    const result = run(ticks, [], { closeAt: 7000 })
    expect(result.entry?.seq).toBe(1)
    expect(result.exit).toMatchObject({ sum: 9n, ticks: 3, from: 1, to: 5 })
  })
  it.each<[bigint, number, bigint]>([
    [1n, 3, 3n],
    [2n, 3, 7n],
    [1n, 20, 1n],
    [1n, 21, 0n],
    [199n, 20, 100n],
  ])('shows %s / %s as %s tenths: halves go up', (sum, count, value) => {
    expect(meanValue(sum, count)).toBe(value)
  })
})

describe('result', () => {
  it.each([
    ['up', 103, 'won', 18_500, 8500],
    ['up', 97, 'lost', 0, -10_000],
    ['up', 100, 'tied', 10_000, 0],
    ['down', 103, 'lost', 0, -10_000],
    ['down', 97, 'won', 18_500, 8500],
    ['down', 100, 'tied', 10_000, 0],
  ] as const)('%s, all at %i: %s', (direction, price, status, payout, pnl) => {
    const result = run(windowOf(price, price, price, price, price), [], { direction })
    expect(result).toMatchObject({ status, reason: null, entry, payout, pnl })
  })
  it('is not rounded: a mean above the entry by less than it is shown with wins', () => {
    const prices = [...Array.from({ length: 99 }, () => 100), 101]
    const result = run(
      [entry, ...prices.map((price, i) => tick(i + 2, 22_000 + i, price))],
      [],
      {},
      { exitCutBp: 0 },
    )
    expect(result).toMatchObject({ status: 'won', exit: { value: 1000n, sum: 10_001n, ticks: 100 } })
  })
  it('is a tie where the mean is the entry and no tick is', () => {
    expect(run(windowOf(99, 101, 98, 102, 99, 101), [], {}, { exitCutBp: 0 }).status).toBe('tied')
  })
  it('is exact where the sum is above 2^53', () => {
    const big = 9_007_199_254_740_990
    const ticks = windowOf(big, big, big, big, big).map((each) => ({ ...each, price: priceUnits(big) }))
    const change = (price: number) => ticks.map((each) => (each.seq === 4 ? tick(4, each.at, price) : each))
    const uncut = { exitCutBp: 0 }
    expect(run(ticks, [], {}, uncut).status).toBe('tied')
    expect(run(change(big + 1), [], {}, uncut).status).toBe('won')
    expect(run(change(big - 1), [], {}, uncut).status).toBe('lost')
  })
})

describe('refunds', () => {
  const ticks = windowOf(101, 102, 103, 104, 105)
  it.each<[string, Gap, string | null]>([
    ['before acceptedAt', { from: 500, to: 1000 }, null],
    ['reaching 1 ms past acceptedAt', { from: 500, to: 1001 }, 'FEED_DOWN'],
    ['within the delay', { from: 1100, to: 1200 }, 'FEED_DOWN'],
    ['beginning 1 ms before the entry', { from: 1999, to: 3000 }, 'FEED_DOWN'],
    ['from the entry to the window', { from: 2000, to: 21_000 }, null],
    ['ending 1 ms into the window', { from: 20_000, to: 21_001 }, 'FEED_DOWN'],
    ['between two ticks of the window', { from: 22_100, to: 22_200 }, 'FEED_DOWN'],
    ['beginning 1 ms before closeAt, without an end', { from: 30_999, to: null }, 'FEED_DOWN'],
    ['from closeAt on', { from: 31_000, to: 40_000 }, null],
  ])('a gap %s', (_, gap, reason) => {
    expect(run(ticks, [gap]).reason).toBe(reason)
  })
  it.each<[string, SettleTick[], string]>([
    ['no tick in time for an entry', ticks.slice(1), 'NO_ENTRY'],
    ['no tick at all', [], 'NO_ENTRY'],
    ['no tick after the entry', [entry], 'ONE_TICK'],
    ['no tick after the entry but one after closeAt', [entry, tick(2, 31_001, 5)], 'ONE_TICK'],
    ['ticks after the entry that are all too old', [entry, tick(2, 15_999, 101)], 'STALE_EXIT'],
  ])('%s: %s', (_, some, reason) => {
    expect(run(some)).toMatchObject({ status: 'refunded', reason, exit: null, payout: 10_000, pnl: 0 })
  })
  it.each<[string, SettleTick[], Gap, string]>([
    ['a gap in the time for an entry, before no entry', [], { from: 11_000, to: 12_000 }, 'FEED_DOWN'],
    ['a gap after that time and before the window', [], { from: 11_500, to: 12_000 }, 'NO_ENTRY'],
    ['a gap in the window, before no entry', [], { from: 22_000, to: 23_000 }, 'FEED_DOWN'],
    ['a gap in the window, before one tick', [entry], { from: 22_000, to: 23_000 }, 'FEED_DOWN'],
  ])('%s', (_, some, gap, reason) => {
    expect(run(some, [gap]).reason).toBe(reason)
  })
  it('a change of source takes precedence over a gap, and the exit is that of a close at the change', () => {
    const sources = [
      { sinceAt: 0, fingerprint: 'a' },
      { sinceAt: 24_500, fingerprint: 'b' },
    ]
    const result = settle(terms, order, ticks, [{ from: 24_500, to: 26_000 }], sources)
    expect(result).toMatchObject({ reason: 'SOURCE_CHANGED', exit: { sum: 306n, ticks: 3 }, payout: 10_000 })
  })
})

describe('valuationOf', () => {
  const ticks = windowOf(110, 90, 102, 103, 104)
  const at = (now: number) => {
    const worth = valuationOf(
      terms,
      order,
      entry,
      ticks.filter((each) => each.at <= now),
    )
    return 'sum' in worth ? `${worth.sum} / ${worth.ticks}` : worth.price
  }
  it.each<[number, string | number]>([
    [20_000, 100],
    [22_000, '110 / 1'],
    [23_000, '200 / 2'],
    [26_000, '309 / 3'],
  ])('at %i', (now, worth) => {
    expect(at(now)).toBe(worth)
  })
  it('is the newest price at the beginning of the window, and with a tick too old to count', () => {
    expect(valuationOf(terms, order, entry, [entry, tick(2, 21_000, 7)])).toMatchObject({ price: 7 })
    const strict = { ...terms, maxTickGapMs: 1000 }
    expect(valuationOf(strict, order, entry, [entry, tick(2, 22_000, 7)])).toMatchObject({ price: 7 })
  })
  it('is the exit once the window is over', () => {
    expect(valuationOf(terms, order, entry, ticks)).toEqual(run(ticks).exit)
  })
  it('pnlAt compares the exact mean with the entry', () => {
    const worth = { value: 1000n, sum: 301n, ticks: 3, from: 2, to: 4 }
    expect(pnlAt(order, 8500, priceUnits(100), worth)).toBe(8500)
    expect(pnlAt({ ...order, direction: 'down' }, 8500, priceUnits(100), worth)).toBe(-10_000)
    expect(pnlAt(order, 8500, priceUnits(100), { ...worth, sum: 300n })).toBe(0)
  })
})

describe('interruptedOutcomeOf', () => {
  const ticks = [...windowOf(90, 90, 90, 200, 200), tick(7, 28_000, 90)]
  const own: SettleSource = { sinceAt: 0, fingerprint: 'a' }
  const outcomeOf = (gaps: Gap[], sources = [own], direction: 'up' | 'down' = 'up') => {
    const directed = { ...order, direction }
    const settlement = settle(terms, directed, ticks, gaps, sources)
    return interruptedOutcomeOf(terms, directed, settlement, ticks, gaps, sources)
  }
  it.each<[string, Gap[], object | null]>([
    ['not refunded', [{ from: 3000, to: 4000 }], null],
    ['before its entry', [{ from: 1500, to: 1600 }], { side: 'level', pnl: 0 }],
    ['before the window: by the newest price', [{ from: 20_000, to: 22_000 }], { side: 'level', pnl: 0 }],
    ['inside it: by the mean so far', [{ from: 25_000, to: 26_000 }], { side: 'ahead', pnl: 8500 }],
    ['inside it, behind', [{ from: 24_000, to: 25_000 }], { side: 'behind', pnl: -10_000 }],
    [
      'the earliest of two',
      [
        { from: 25_000, to: 26_000 },
        { from: 24_000, to: 24_500 },
      ],
      { side: 'behind', pnl: -10_000 },
    ],
  ])('%s', (_, gaps, expected) => {
    const outcome = outcomeOf(gaps)
    expect(outcome && { side: outcome.side, pnl: outcome.pnl }).toEqual(expected)
  })
  it('another source: by the mean so far of its own window', () => {
    const sources = [own, { sinceAt: 25_000, fingerprint: 'b' }]
    expect(outcomeOf([], sources, 'down')).toEqual({
      cause: { kind: 'source', at: 25_000 },
      side: 'behind',
      pnl: -10_000,
    })
  })
})

it('settles like an oracle written from the text of the rule', () => {
  const { outcomes, ...rest } = compareR2(5000, testSeed())
  expect(rest).toEqual({ tried: 5000, violations: [] })
  expect(Object.keys(outcomes).sort()).toEqual(
    ['FEED_DOWN', 'NO_ENTRY', 'ONE_TICK', 'SOURCE_CHANGED', 'STALE_EXIT', 'lost', 'tied', 'won'].sort(),
  )
})

it('settles a slice with the entry, the window and the newest exitMinTicks like the whole log', () => {
  fc.assert(
    fc.property(anyR2Case, anyR2Ticks, anySources, ({ terms: t, order: o }, ticks, sources) => {
      const whole = settle(t, o, ticks, [], sources)
      const change = sources.find((source) => source.fingerprint !== 'a' && source.sinceAt < o.closeAt)
      fc.pre(change === undefined)
      const closed = ticks.filter((each) => each.at <= o.closeAt)
      const needed = new Set([
        whole.entry,
        ...closed.filter((each) => each.at > o.closeAt - t.exitWindowMs),
        ...closed.slice(-t.exitMinTicks),
      ])
      const slice = ticks.filter((each) => needed.has(each))
      expect(settle(t, o, slice, [], sources)).toEqual(whole)
    }),
  )
})
