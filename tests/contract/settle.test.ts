import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { minor } from '../../contract/brand.ts'
import type { Gap, SettleOrder, SettleTick, Terms } from '../../contract/settle.ts'
import { ifEndedNow, settle } from '../../contract/settle.ts'

const terms: Terms = {
  rule: 'R1',
  priceDecimals: 2,
  rateBp: 8500,
  entryTimeoutMs: 10_000,
  maxTickGapMs: 15_000,
}
const order: SettleOrder = { direction: 'up', amount: minor(10_000), acceptedAt: 1000, closeAt: 31_000 }
const tick = (seq: number, at: number, price: number): SettleTick => ({ seq, at, price })
const run = (
  ticks: SettleTick[],
  gaps: Gap[] = [],
  change: Partial<SettleOrder> = {},
  t: Partial<Terms> = {},
) => settle({ ...terms, ...t }, { ...order, ...change }, ticks, gaps)

describe('results', () => {
  const entry = tick(1, 1001, 500)
  test.each([
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

describe('edges of time', () => {
  test('a tick at acceptedAt is no entry, 1 ms later is', () => {
    expect(run([tick(1, 1000, 5), tick(2, 1001, 6), tick(3, 30_000, 7)]).entry?.seq).toBe(2)
  })
  test('the last millisecond of the entry window counts, the next one does not', () => {
    expect(run([tick(1, 11_000, 5), tick(2, 30_000, 6)]).entry?.seq).toBe(1)
    expect(run([tick(1, 11_001, 5), tick(2, 30_000, 6)])).toMatchObject({
      status: 'refunded',
      reason: 'NO_ENTRY',
    })
  })
  test('a tick at closeAt is the exit, 1 ms later is not', () => {
    const ticks = [tick(1, 1001, 5), tick(2, 20_000, 6), tick(3, 31_000, 7), tick(4, 31_001, 8)]
    expect(run(ticks).exit?.seq).toBe(3)
  })
  test('of ticks that share an instant, seq decides', () => {
    const ticks = [tick(1, 1001, 5), tick(2, 1001, 9), tick(3, 31_000, 6), tick(4, 31_000, 4)]
    expect(run(ticks)).toMatchObject({ entry: { seq: 1 }, exit: { seq: 4 }, status: 'lost' })
  })
  test('an entry window longer than the order ends at closeAt', () => {
    expect(run([tick(1, 31_001, 5)], [], {}, { entryTimeoutMs: 90_000 }).reason).toBe('NO_ENTRY')
  })
})

describe('refunds', () => {
  const ticks = [tick(1, 2000, 5), tick(2, 20_000, 6), tick(3, 30_000, 7)]
  test.each<[string, Gap, string | null]>([
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

  test('a gap over the entry window beats NO_ENTRY', () => {
    expect(run([tick(1, 30_000, 5)], [{ from: 1500, to: 12_000 }]).reason).toBe('FEED_DOWN')
  })
  test('one tick for both ends', () => {
    expect(run([tick(1, 30_000, 5)], [], {}, { entryTimeoutMs: 30_000 }).reason).toBe('ONE_TICK')
  })
  test('an exit older than maxTickGapMs', () => {
    expect(run([tick(1, 2000, 5), tick(2, 16_000, 6)]).reason).toBeNull()
    expect(run([tick(1, 2000, 5), tick(2, 15_999, 6)]).reason).toBe('STALE_EXIT')
  })
  test('the whole stake comes back', () => {
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

/** The rule once more, written apart from the code under test and as literally as the contract words it. */
function oracle(t: Terms, o: SettleOrder, ticks: SettleTick[], gaps: Gap[]) {
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
  if (reason !== null) return { status: 'refunded', reason, payout: o.amount, pnl: 0 }
  const diff = exit!.price - entry!.price
  if (diff === 0) return { status: 'tied', reason, payout: o.amount, pnl: 0 }
  if ((diff > 0 && o.direction === 'up') || (diff < 0 && o.direction === 'down')) {
    const win = Math.floor((o.amount * t.rateBp) / 10_000)
    return { status: 'won', reason, payout: o.amount + win, pnl: win }
  }
  return { status: 'lost', reason, payout: 0, pnl: 0 - o.amount }
}

const walk = fc
  .array(fc.record({ dt: fc.integer({ min: 0, max: 4000 }), dp: fc.integer({ min: -2, max: 2 }) }), {
    maxLength: 40,
  })
  .map((steps) => {
    let at = 0
    let price = 100
    return steps.map((step, i) => {
      at += step.dt
      price = Math.max(1, price + step.dp)
      return tick(i + 1, at, price)
    })
  })
const someGaps = fc.array(
  fc
    .record({
      from: fc.integer({ min: 0, max: 60_000 }),
      length: fc.option(fc.integer({ min: 0, max: 9000 })),
    })
    .map(({ from, length }) => ({ from, to: length === null ? null : from + length })),
  { maxLength: 2 },
)
const anyTerms = fc.record({
  rule: fc.constant('R1'),
  priceDecimals: fc.constant(2),
  rateBp: fc.integer({ min: 0, max: 10_000 }),
  entryTimeoutMs: fc.integer({ min: 0, max: 20_000 }),
  maxTickGapMs: fc.integer({ min: 0, max: 20_000 }),
})
const anyOrder = fc
  .record({
    direction: fc.constantFrom('up' as const, 'down' as const),
    amount: fc.integer({ min: 1, max: 99_999_900 }).map(minor),
    acceptedAt: fc.integer({ min: 0, max: 30_000 }),
    seconds: fc.integer({ min: 1, max: 60 }),
  })
  .map(({ seconds, ...rest }) => ({ ...rest, closeAt: rest.acceptedAt + seconds * 1000 }))

test('equals an oracle written apart', () => {
  fc.assert(
    fc.property(anyTerms, anyOrder, walk, someGaps, (t, o, ticks, gaps) => {
      const { status, reason, payout, pnl } = settle(t, o, ticks, gaps)
      expect({ status, reason, payout, pnl: pnl + 0 }).toEqual(oracle(t, o, ticks, gaps))
    }),
    { numRuns: 3000 },
  )
})

test('any slice that holds entry and exit settles alike', () => {
  fc.assert(
    fc.property(anyTerms, anyOrder, walk, (t, o, ticks) => {
      const whole = settle(t, o, ticks, [])
      const slice = [...new Set([whole.entry, whole.exit])].filter((x) => x !== null)
      expect(settle(t, o, slice, [])).toEqual(whole)
    }),
  )
})

test.each([
  ['up', 100, 101, 8500],
  ['up', 100, 99, -10_000],
  ['down', 100, 99, 8500],
  ['down', 100, 100, 0],
] as const)('if it ended now: %s from %i at %i', (direction, from, now, pnl) => {
  expect(ifEndedNow({ direction, amount: minor(10_000) }, 8500, from, now)).toBe(pnl)
})
