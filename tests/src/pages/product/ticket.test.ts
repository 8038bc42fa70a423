import { describe, expect, it } from 'vitest'
import { minor, epochMs } from '../../../../contract/units.ts'
import type { SelfLimits } from '../../../../contract/selfLimits.ts'
import { formatMoney } from '../../../../contract/money.ts'
import { maxStakeOf } from '../../../../contract/products.ts'
import { estimateOutcome } from '../../../../src/pages/product/estimate.ts'
import {
  checkMarket,
  isAmountInvalid,
  isPricePaused,
  maxStakeNow,
  preTradeCheck,
  shownStatus,
  type BlockReason,
  type TicketFacts,
} from '../../../../src/pages/product/preTradeCheck.ts'
import {
  effectiveLimitsAt,
  noEffectiveLimits,
  type EffectiveLimits,
} from '../../../../src/pages/product/effectiveLimits.ts'
import { afterPlacement, closed, isInSheet, reviewing } from '../../../../src/pages/product/placement.ts'
import { chartMarksOf } from '../../../../src/pages/product/chartMarks.ts'
import { replayAt, sourceName } from '../../../../src/features/market/source.ts'
import type {
  Connection,
  Failure,
  StoredPlacement,
  OrderDraft,
  Placement,
} from '../../../../streams/index.ts'
import { connectionFact, fittedAmount } from '../../../../src/pages/product/useTicketFacts.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'

const now = 1_000_000
const validFacts: TicketFacts = {
  now,
  member: true,
  isVenueOpen: true,
  connection: 'current',
  status: 'open',
  opensAt: null,
  closesAt: null,
  quote: { at: now - 500, stale: false, witness: undefined },
  maxTickGapMs: 15_000,
  duration: { seconds: 60, rateBp: 8500, min: '1.00', max: '5000.00' },
  amountText: '',
  amount: minor(10_000),
  available: minor(1_000_000),
  limits: undefined,
}
it.each<[Partial<TicketFacts>, string]>([
  [{}, 'open'],
  [{ amount: undefined }, 'open'],
  [{ connection: 'interrupted' }, 'paused'],
  [{ connection: 'blocked' }, 'paused'],
  [{ connection: 'connecting' }, 'open'],
  [{ quote: { at: now - 3000, stale: true, witness: undefined } }, 'paused'],
  [{ quote: { at: now - 500, stale: false, witness: 'deviates' } }, 'paused'],
  [{ status: 'closed', connection: 'interrupted' }, 'closed'],
  [{ status: 'maintenance', quote: { at: 1, stale: true, witness: undefined } }, 'maintenance'],
  [{ isVenueOpen: false, connection: 'interrupted' }, 'maintenance'],
])('the header shows one state, the most severe: with %j it is %s', (facts, status) => {
  expect(shownStatus(checkMarket({ ...validFacts, ...facts }))).toBe(status)
})

const noOwnLimits: EffectiveLimits = { excludedUntil: null, maxStake: null, lossLeft: null }

describe('preTradeCheck', () => {
  const cases: [string, Partial<TicketFacts>, BlockReason | undefined][] = [
    ['allows a valid order', {}, undefined],
    [
      'blocks during maintenance of the product',
      { status: 'maintenance', opensAt: 5 },
      { kind: 'maintenance', opensAt: 5 },
    ],
    ['blocks during site maintenance', { isVenueOpen: false }, { kind: 'maintenance', opensAt: null }],
    ['blocks while the market is closed', { status: 'closed', opensAt: 9 }, { kind: 'closed', opensAt: 9 }],
    [
      'blocks while the socket is out of sync',
      { connection: 'interrupted' },
      { kind: 'offline', why: 'again' },
    ],
    [
      'says that the first connection is on its way',
      { connection: 'unreached' },
      { kind: 'offline', why: 'first' },
    ],
    [
      'says that the device is offline',
      { connection: 'interrupted', deviceOffline: true },
      { kind: 'offline', why: 'device' },
    ],
    ['says that the network lets no prices through', { connection: 'blocked' }, { kind: 'blocked' }],
    ['waits for the first connection', { connection: 'connecting' }, { kind: 'waiting' }],
    ['blocks before the first price', { quote: undefined }, { kind: 'waiting' }],
    [
      'blocks on a stale price',
      { quote: { at: now - 12_000, stale: true, witness: 'silent' } },
      { kind: 'stale', ageMs: 12_000 },
    ],
    [
      'blocks if the last price is too old',
      { quote: { at: now - 15_001, stale: false, witness: undefined } },
      { kind: 'stale', ageMs: 15_001 },
    ],
    [
      'allows a price as old as the terms permit',
      { quote: { at: now - 15_000, stale: false, witness: undefined } },
      undefined,
    ],
    [
      'blocks while the second source reports another price',
      { quote: { at: now - 500, stale: false, witness: 'deviates' } },
      { kind: 'witness', rejection: 'deviates' },
    ],
    ['blocks without a duration', { duration: undefined }, { kind: 'noDuration' }],
    [
      'blocks an order that ends after the market closes',
      { closesAt: now + 59_999 },
      { kind: 'crossesClose', closesAt: now + 59_999 },
    ],
    ['allows an order that ends when the market closes', { closesAt: now + 60_000 }, undefined],
    ['blocks a guest', { member: false }, { kind: 'login' }],
    [
      'reports the closed market first to a guest',
      { member: false, status: 'closed' },
      { kind: 'closed', opensAt: null },
    ],
    ['blocks an empty amount', { amount: undefined }, { kind: 'noAmount' }],
    ['blocks an unclear amount', { amount: undefined, amountUnclear: true }, { kind: 'unclearAmount' }],
    ['blocks an amount below the minimum', { amount: minor(99) }, { kind: 'belowMin', min: minor(100) }],
    [
      'blocks an amount above the maximum',
      { amount: minor(500_001) },
      { kind: 'aboveMax', max: minor(500_000) },
    ],
    [
      'blocks while the member has paused trading',
      { limits: { ...noOwnLimits, excludedUntil: 9 } },
      { kind: 'excluded', until: 9 },
    ],
    [
      'blocks above the member’s own maximum stake',
      { limits: { ...noOwnLimits, maxStake: minor(9_999) } },
      { kind: 'maxStake', max: minor(9_999) },
    ],
    [
      'blocks if a loss would exceed the daily limit',
      { limits: { ...noOwnLimits, lossLeft: minor(9_999) } },
      { kind: 'dailyLoss', left: minor(9_999) },
    ],
    [
      'blocks if the daily loss limit is reached',
      { limits: { ...noOwnLimits, lossLeft: minor(99) } },
      { kind: 'lossReached' },
    ],
    [
      'allows as much as the member’s own limits permit',
      { limits: { ...noOwnLimits, maxStake: minor(10_000), lossLeft: minor(10_000) } },
      undefined,
    ],
    ['blocks until the balance is loaded', { available: undefined }, { kind: 'balanceWaiting' }],
    ['blocks above the balance', { available: minor(9_999) }, { kind: 'balance', available: minor(9_999) }],
    ['allows exactly the balance', { available: minor(10_000) }, undefined],
  ]
  it.each(cases)('%s', (_, patch, expected) =>
    expect(preTradeCheck({ ...validFacts, ...patch })).toEqual(expected),
  )

  it('marks prices as paused and the amount as invalid only for their own reasons', () => {
    expect([
      isPricePaused({ kind: 'offline', why: 'again' }),
      isPricePaused({ kind: 'noAmount' }),
      isPricePaused(undefined),
    ]).toEqual([true, false, false])
    expect([
      isAmountInvalid({ kind: 'belowMin', min: minor(1) }),
      isAmountInvalid({ kind: 'login' }),
    ]).toEqual([true, false])
  })

  it('computes the limits in force and the loss still allowed today', () => {
    const limits: SelfLimits = {
      active: {
        maxStake: '50.00',
        maxDailyLoss: '100.00',
        maxWeeklyLoss: null,
        maxMonthlyLoss: null,
        maxDailyDeposit: null,
        maxWeeklyDeposit: null,
        maxMonthlyDeposit: null,
        excludedUntil: epochMs(2000),
      },
      pending: [
        { field: 'maxStake', value: null, effectiveAt: epochMs(3000) },
        { field: 'maxDailyLoss', value: '200.00', effectiveAt: epochMs(1000) },
      ],
    }
    const assets = { openStakes: '30.00', todayPnl: '-20.00' }
    expect(effectiveLimitsAt(limits, assets, 1500)).toEqual({
      excludedUntil: 2000,
      maxStake: minor(5000),
      lossLeft: minor(15_000),
    })
    expect(effectiveLimitsAt(limits, assets, 3000)).toEqual({
      excludedUntil: null,
      maxStake: null,
      lossLeft: minor(15_000),
    })
    expect(effectiveLimitsAt(limits, undefined, 3000).lossLeft).toBeNull()
  })

  it('limits the stake to the member’s own limits', () => {
    const duration = { seconds: 1, rateBp: 1, min: '1.00', max: '500.00' }
    const maxStake = (patch: Partial<EffectiveLimits>) =>
      formatMoney(maxStakeNow(duration, { ...noOwnLimits, ...patch }))
    expect([
      maxStake({}),
      maxStake({ maxStake: minor(4000) }),
      maxStake({ lossLeft: minor(3000) }),
      maxStake({ lossLeft: minor(-1) }),
    ]).toEqual(['500.00', '40.00', '30.00', '500.00'])
  })

  it('limits the stake to the specification’s maximum for any duration', () => {
    expect(formatMoney(maxStakeOf({ seconds: 1, rateBp: 1, min: '1.00', max: '5000000.00' }))).toBe(
      '999999.00',
    )
  })
})

describe('estimateOutcome', () => {
  it.each([
    [10_000, 8500, '85.00', '-100.00', 0.5405],
    [333, 8000, '2.66', '-3.33', 0.5556],
    [undefined, 8500, '0.00', '0.00', 0.5405],
  ])('estimates %s at %i bp', (amount, rateBp, win, loss, even) => {
    const estimate = estimateOutcome(amount === undefined ? undefined : minor(amount), rateBp)
    expect([formatMoney(estimate.win), formatMoney(estimate.loss)]).toEqual([win, loss])
    expect(estimate.breakEven).toBeCloseTo(even, 4)
  })
})

describe('afterPlacement', () => {
  const draft: OrderDraft = { productId: 'A', direction: 'up', amount: '10.00', seconds: 60, rateBp: 8500 }
  const intent: StoredPlacement = { ...draft, key: 'k', validUntil: 5 }
  const rejectedWith = (code: string, params: Record<string, unknown> = {}): Failure => ({
    kind: 'rejected',
    status: 409,
    code,
    params,
    fields: {},
    at: 0,
  })
  const cases: [string, Placement, ReturnType<typeof afterPlacement>][] = [
    ['sending', { state: 'sending', intent }, { step: 'sending', draft }],
    ['unknown', { state: 'unknown', intent, since: 0 }, { step: 'unknown', draft }],
    ['accepted', { state: 'accepted', intent, order: sampleOrder() }, closed],
    ['expired', { state: 'expired', intent }, { step: 'reviewing', draft, notice: { kind: 'expired' } }],
    [
      'rejected by a rule',
      { state: 'rejected', intent, failure: rejectedWith('FEED_STALE') },
      { step: 'reviewing', draft, notice: { kind: 'rejected', failure: rejectedWith('FEED_STALE') } },
    ],
    [
      'rejected because of a changed rate, which the next tap accepts',
      { state: 'rejected', intent, failure: rejectedWith('RATE_CHANGED', { rateBp: 8400 }) },
      {
        step: 'reviewing',
        draft: { ...draft, rateBp: 8400 },
        notice: { kind: 'rate', from: 8500, to: 8400 },
      },
    ],
  ]
  it.each(cases)('%s', (_, placement, expected) => expect(afterPlacement(draft, placement)).toEqual(expected))
  it('opens no sheet while an order by one tap is sent, and opens it for what the member must know', () => {
    const stepOf = (placement: Placement) => afterPlacement(draft, placement, 'placing')
    expect(isInSheet(stepOf({ state: 'sending', intent }))).toBe(false)
    expect(isInSheet(stepOf({ state: 'accepted', intent, order: sampleOrder() }))).toBe(false)
    expect(isInSheet(stepOf({ state: 'unknown', intent, since: 0 }))).toBe(true)
    expect(isInSheet(stepOf({ state: 'expired', intent }))).toBe(true)
  })
  it('starts with a review', () =>
    expect(reviewing(draft)).toEqual({ step: 'reviewing', draft, notice: undefined }))
})

describe('chart marks and sources', () => {
  it('marks open orders with their entry in decimal prices', () => {
    const entry = { seq: 4, at: epochMs(7), price: '12.34' }
    expect(chartMarksOf([sampleOrder({ entry }), sampleOrder({ id: 'o2' })], new Map())).toEqual([
      { id: 'o1', direction: 'up', closeAt: 1_030_000, entry: { at: 7, price: 12.34 }, window: undefined },
      { id: 'o2', direction: 'up', closeAt: 1_030_000, entry: undefined, window: undefined },
    ])
  })
  it('marks the window of an order by rule R2, with its mean once there is one', () => {
    const { terms } = sampleOrder()
    const averaging = { entryDelayMs: 500, exitWindowMs: 10_000, exitCutBp: 2000, exitMinTicks: 3 }
    const order = sampleOrder({ terms: { ...terms, rule: 'R2', ...averaging } })
    const windowWith = (means: ReadonlyMap<string, string>) => chartMarksOf([order], means)[0]?.window
    const span = { from: 1_020_000, to: 1_030_000 }
    expect(windowWith(new Map())).toEqual({ ...span, mean: undefined })
    expect(windowWith(new Map([['o1', '100.015']]))).toEqual({ ...span, mean: 100.015 })
  })
  it.each([
    ['recording: EURUSD_dukascopy_2019-02-04 (2019-02-04), looped', Date.UTC(2019, 1, 4, 12)],
    ['recording: BTCUSDT 2024-08-08T2354', undefined],
    ['live: binance (2026-01-01)', undefined],
    ['synthetic', undefined],
  ])('finds in "%s" the replayed day %s', (source, at) => expect(replayAt(source)).toBe(at))
  it.each([
    ['recording: EURUSD_dukascopy_2019-02-04 (2019-02-04), looped', 'EURUSD dukascopy'],
    ['recording: BTCUSDT_binance_spot_2024-08-08T2354 (2024-08-08), looped', 'BTCUSDT binance spot'],
    ['recording: own (2020-09-13), looped', 'own'],
    ['live: binance', 'binance'],
    ['synthetic', undefined],
    ['something else', 'something else'],
  ])('names "%s" as %s', (source, name) => expect(sourceName(source)).toBe(name))
})

const connection = { state: 'online', stale: false, lastHeartbeatAt: undefined, attempt: 0 } as const

it.each<[Partial<Connection>, boolean, boolean, TicketFacts['connection']]>([
  [{}, true, false, 'current'],
  [{ stale: true, lastHeartbeatAt: 1 }, true, false, 'interrupted'],
  [{}, false, false, 'connecting'],
  [{ state: 'idle' }, false, true, 'unreached'],
  [{ state: 'connecting' }, false, false, 'connecting'],
  [{ state: 'connecting' }, false, true, 'unreached'],
  [{ state: 'connecting', lastHeartbeatAt: 1 }, true, false, 'interrupted'],
  [{ state: 'reconnecting' }, true, false, 'interrupted'],
  [{ state: 'rejected' }, false, false, 'interrupted'],
])(
  'with %j, synced: %s, unreachable: %s the ticket counts the connection as %s',
  (part, synced, isUnreachable, fact) => {
    expect(connectionFact({ ...connection, ...part }, synced, isUnreachable)).toBe(fact)
  },
)

describe('the amount before it is edited', () => {
  const { duration } = validFacts
  const own = (maxStake: number): EffectiveLimits => ({ ...noEffectiveLimits, maxStake: minor(maxStake) })
  it.each<[string, Partial<TicketFacts>, string | undefined, number]>([
    ['is 100.00 on a new device', {}, undefined, 10_000],
    ['is the one of last time', {}, '250.50', 25_050],
    ['fits the balance', { available: minor(4_000) }, '250.50', 4_000],
    ['fits the own maximum', { limits: own(5_000) }, undefined, 5_000],
    ['fits the maximum of the duration', {}, '900000.00', 500_000],
    ['waits for the balance', { available: undefined }, '250.50', 25_050],
    ['is never below the minimum', { available: minor(0) }, undefined, 100],
  ])('%s', (_, facts, usual, expected) => {
    expect(fittedAmount(usual, { duration, available: minor(1_000_000), limits: undefined, ...facts })).toBe(
      expected,
    )
  })
  it.each([0, 50, 99])('is no fault while no order fits the balance (%i)', (cents) => {
    const reason = preTradeCheck({ ...validFacts, available: minor(cents) })
    expect(reason).toEqual({ kind: 'empty', min: 100 })
    expect(isAmountInvalid(reason)).toBe(false)
  })
})
