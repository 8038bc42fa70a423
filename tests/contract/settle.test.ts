import { describe, expect, it } from 'vitest'
import { minor, priceUnits } from '../../contract/units.ts'
import {
  pnlAt,
  settle,
  interruptedOutcomeOf,
  type Gap,
  type R1Terms,
  type SettleOrder,
  type SettleSource,
  type SettleTick,
} from '../../contract/settle.ts'
import {
  anyOrder,
  anySources,
  anyTerms,
  compareEdges,
  compareSettlements,
  anyTicks,
} from '../scenarios/settleOracle.ts'
import { testSeed } from '../support/testSeed.ts'
import { fc } from '../support/fastCheck.ts'

const terms: R1Terms = {
  rule: 'R1',
  priceDecimals: 2,
  rateBp: 8500,
  entryTimeoutMs: 10_000,
  maxTickGapMs: 15_000,
  source: 'a',
}
const order: SettleOrder = { direction: 'up', amount: minor(10_000), acceptedAt: 1000, closeAt: 31_000 }
const tick = (seq: number, at: number, price: number): SettleTick => ({
  seq,
  at,
  price: priceUnits(price),
})
const run = (
  ticks: SettleTick[],
  gaps: Gap[] = [],
  change: Partial<SettleOrder> = {},
  t: Partial<R1Terms> = {},
) => settle({ ...terms, ...t }, { ...order, ...change }, ticks, gaps, [])

describe('results', () => {
  const entry = tick(1, 1001, 500)
  it.each([
    ['up', 501, 'won', 18_500, 8500],
    ['up', 499, 'lost', 0, -10_000],
    ['up', 500, 'tied', 10_000, 0],
    ['down', 501, 'lost', 0, -10_000],
    ['down', 499, 'won', 18_500, 8500],
    ['down', 500, 'tied', 10_000, 0],
  ] as const)('%s, exit %i: %s', (direction, price, status, payout, pnl) => {
    const exit = tick(2, 31_000, price)
    expect(run([entry, exit], [], { direction })).toEqual({ status, reason: null, entry, exit, payout, pnl })
  })
})

describe('boundaries of time', () => {
  it('a tick at acceptedAt is not the entry, 1 ms later is', () => {
    expect(run([tick(1, 1000, 5), tick(2, 1001, 6), tick(3, 30_000, 7)]).entry?.seq).toBe(2)
  })
  it('the last millisecond of the entry window counts, the next one does not', () => {
    expect(run([tick(1, 11_000, 5), tick(2, 30_000, 6)]).entry?.seq).toBe(1)
    expect(run([tick(1, 11_001, 5), tick(2, 30_000, 6)])).toMatchObject({
      status: 'refunded',
      reason: 'NO_ENTRY',
    })
  })
  it('a tick at closeAt is the exit, 1 ms later is not', () => {
    const ticks = [tick(1, 1001, 5), tick(2, 20_000, 6), tick(3, 31_000, 7), tick(4, 31_001, 8)]
    expect(run(ticks).exit).toMatchObject({ seq: 3 })
  })
  it('orders ticks of the same instant by seq', () => {
    const ticks = [tick(1, 1001, 5), tick(2, 1001, 9), tick(3, 31_000, 6), tick(4, 31_000, 4)]
    expect(run(ticks)).toMatchObject({ entry: { seq: 1 }, exit: { seq: 4 }, status: 'lost' })
  })
  it('an entry window longer than the order ends at closeAt', () => {
    expect(run([tick(1, 31_001, 5)], [], {}, { entryTimeoutMs: 90_000 }).reason).toBe('NO_ENTRY')
  })
})

describe('refunds', () => {
  const ticks = [tick(1, 2000, 5), tick(2, 20_000, 6), tick(3, 30_000, 7)]
  it.each<[string, Gap, string | null]>([
    ['before acceptedAt', { from: 500, to: 1000 }, null],
    ['reaching 1 ms past acceptedAt', { from: 500, to: 1001 }, 'FEED_DOWN'],
    ['from the entry on', { from: 2000, to: 3000 }, null],
    ['beginning 1 ms before the entry', { from: 1999, to: 3000 }, 'FEED_DOWN'],
    ['between entry and exit', { from: 5000, to: 9000 }, null],
    ['ending at the exit', { from: 25_000, to: 30_000 }, null],
    ['ending 1 ms after the exit', { from: 25_000, to: 30_001 }, 'FEED_DOWN'],
    ['from closeAt on', { from: 31_000, to: 40_000 }, null],
    ['open since before closeAt', { from: 30_999, to: null }, 'FEED_DOWN'],
  ])('a gap %s', (_, gap, reason) => {
    expect(run(ticks, [gap]).reason).toBe(reason)
  })

  it('a gap over the entry window takes precedence over NO_ENTRY', () => {
    expect(run([tick(1, 30_000, 5)], [{ from: 1500, to: 12_000 }]).reason).toBe('FEED_DOWN')
  })
  it('refunds an order with one tick as entry and exit', () => {
    expect(run([tick(1, 30_000, 5)], [], {}, { entryTimeoutMs: 30_000 }).reason).toBe('ONE_TICK')
  })
  it('refunds an order with an exit older than maxTickGapMs', () => {
    expect(run([tick(1, 2000, 5), tick(2, 16_000, 6)]).reason).toBeNull()
    expect(run([tick(1, 2000, 5), tick(2, 15_999, 6)]).reason).toBe('STALE_EXIT')
  })
  it('refund the whole stake', () => {
    expect(run([])).toEqual({
      status: 'refunded',
      reason: 'NO_ENTRY',
      entry: null,
      exit: null,
      payout: 10_000,
      pnl: 0,
    })
  })
})

describe('sources', () => {
  const ticks = [tick(1, 2000, 5), tick(2, 20_000, 6), tick(3, 30_000, 7), tick(4, 31_000, 4)]
  const own = { sinceAt: 0, fingerprint: 'a' }
  const since = (sinceAt: number, fingerprint = 'b'): SettleSource => ({ sinceAt, fingerprint })
  it.each<[string, SettleSource[], string | null, number | null, number | null]>([
    ['its own only', [own], null, 1, 4],
    ['none known', [], null, 1, 4],
    ['another one before it was accepted', [since(0), since(1000, 'a')], null, 1, 4],
    [
      'another one until 1 ms after it was accepted',
      [since(0), since(1001, 'a')],
      'SOURCE_CHANGED',
      null,
      null,
    ],
    ['another one since closeAt', [own, since(31_000)], null, 1, 4],
    ['another one since 1 ms before closeAt', [own, since(30_999)], 'SOURCE_CHANGED', 1, 3],
    ['another one since between entry and exit', [own, since(20_000)], 'SOURCE_CHANGED', 1, 2],
    ['another one since before the entry', [own, since(1999)], 'SOURCE_CHANGED', null, null],
    [
      'another one for a time, then its own again',
      [own, since(25_000), since(26_000, 'a')],
      'SOURCE_CHANGED',
      1,
      2,
    ],
  ])('%s', (_, sources, reason, entry, exit) => {
    const result = settle(terms, order, ticks, [], sources)
    expect([result.reason, result.entry?.seq ?? null]).toEqual([reason, entry])
    expect(result.exit).toEqual(ticks.find(({ seq }) => seq === exit) ?? null)
    if (reason !== null) expect(result).toMatchObject({ status: 'refunded', payout: 10_000, pnl: 0 })
  })
  it('a change of source takes precedence over a gap', () => {
    const result = settle(terms, order, ticks, [{ from: 20_000, to: 40_000 }], [own, since(20_000)])
    expect(result.reason).toBe('SOURCE_CHANGED')
  })
})

describe('interruptedOutcomeOf', () => {
  const ticks = [tick(1, 2000, 5), tick(2, 20_000, 6), tick(3, 30_000, 4)]
  const own = { sinceAt: 0, fingerprint: 'a' }
  const outcomeOf = (gaps: Gap[], sources: SettleSource[] = [own], direction: 'up' | 'down' = 'up') => {
    const directed = { ...order, direction }
    const settlement = settle(terms, directed, ticks, gaps, sources)
    return interruptedOutcomeOf(terms, directed, settlement, ticks, gaps, sources)
  }
  it.each<[string, Gap[], 'up' | 'down', object | null]>([
    ['not refunded', [], 'up', null],
    ['a gap that refunds nothing', [{ from: 5000, to: 6000 }], 'up', null],
    ['before its entry', [{ from: 1500, to: 1600 }], 'up', { at: 1500, side: 'level', pnl: 0 }],
    [
      'after its exit, behind',
      [{ from: 30_000, to: 40_000 }],
      'up',
      { at: 30_000, side: 'behind', pnl: -10_000 },
    ],
    ['after its exit, ahead', [{ from: 30_000, to: null }], 'down', { at: 30_000, side: 'ahead', pnl: 8500 }],
    [
      'the earliest of two',
      [
        { from: 30_500, to: 40_000 },
        { from: 900, to: 1200 },
      ],
      'down',
      { at: 900, side: 'level', pnl: 0 },
    ],
  ])('%s', (_, gaps, direction, expected) => {
    const outcome = outcomeOf(gaps, [own], direction)
    expect(outcome && { at: outcome.cause.at, side: outcome.side, pnl: outcome.pnl }).toEqual(expected)
  })
  it.each([
    [20_000, 'up', 'ahead', 8500],
    [20_000, 'down', 'behind', -10_000],
    [19_999, 'down', 'level', 0],
    [1500, 'up', 'level', 0],
  ] as const)('another source since %i, %s: %s', (sinceAt, direction, side, pnl) => {
    const sources = [own, { sinceAt, fingerprint: 'b' }]
    expect(outcomeOf([], sources, direction)).toEqual({ cause: { kind: 'source', at: sinceAt }, side, pnl })
  })
})

it('settles like an independently written oracle', () => {
  expect(compareSettlements(3000, testSeed())).toMatchObject({ tried: 3000, violations: [] })
})

it('counts a tick at exactly closeAt, but not one 1 ms later, under any terms', () => {
  expect(compareEdges(1000, testSeed())).toMatchObject({ tried: 1000, violations: [] })
})

it('settles any slice with entry and exit like the whole log', () => {
  fc.assert(
    fc.property(anyTerms, anyOrder, anyTicks, anySources, (t, o, ticks, sources) => {
      const whole = settle(t, o, ticks, [], sources)
      const slice = ticks.filter((x) => x === whole.entry || x === whole.exit)
      expect(settle(t, o, slice, [], sources)).toEqual(whole)
    }),
  )
})

it.each([
  ['up', 100, 101, 8500],
  ['up', 100, 99, -10_000],
  ['down', 100, 99, 8500],
  ['down', 100, 100, 0],
] as const)('pnlAt: %s from %i at %i', (direction, from, now, pnl) => {
  const position = { direction, amount: minor(10_000) }
  expect(pnlAt(position, 8500, priceUnits(from), tick(2, 2000, now))).toBe(pnl)
})
