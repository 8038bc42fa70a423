import { describe, expect, it } from 'vitest'
import { minor } from '../../../../contract/brand.ts'
import type { SelfLimits } from '../../../../contract/selfLimits.ts'
import { formatMoney } from '../../../../contract/money.ts'
import { estimateOutcome } from '../../../../src/pages/product/estimate.ts'
import type { BlockReason, TicketFacts } from '../../../../src/pages/product/preTradeCheck.ts'
import {
  isAmountInvalid,
  isPricePaused,
  maxStakeNow,
  maxStakeOf,
  preTradeCheck,
} from '../../../../src/pages/product/preTradeCheck.ts'
import { effectiveLimitsAt } from '../../../../src/pages/product/effectiveLimits.ts'
import type { EffectiveLimits } from '../../../../src/pages/product/effectiveLimits.ts'
import { afterPlacement, reviewing, closed } from '../../../../src/pages/product/placement.ts'
import { chartMarksOf } from '../../../../src/pages/product/chartMarks.ts'
import { replayDay, sourceName } from '../../../../src/pages/product/source.ts'
import type { Failure, StoredPlacement, OrderDraft, Placement } from '../../../../streams/index.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'

const now = 1_000_000
const good: TicketFacts = {
  now,
  member: true,
  isVenueOpen: true,
  online: true,
  status: 'open',
  opensAt: null,
  closesAt: null,
  quote: { at: now - 500, stale: false },
  maxTickGapMs: 15_000,
  duration: { seconds: 60, rateBp: 8500, min: '1.00', max: '5000.00' },
  amount: minor(10_000),
  available: minor(1_000_000),
  limits: undefined,
}
const own: EffectiveLimits = { excludedUntil: null, maxStake: null, lossLeft: null }

describe('why the order buttons are off', () => {
  const cases: [string, Partial<TicketFacts>, BlockReason | undefined][] = [
    ['nothing is wrong', {}, undefined],
    [
      'the product is in maintenance',
      { status: 'maintenance', opensAt: 5 },
      { kind: 'maintenance', opensAt: 5 },
    ],
    ['the whole site is', { isVenueOpen: false }, { kind: 'maintenance', opensAt: null }],
    ['the market is closed', { status: 'closed', opensAt: 9 }, { kind: 'closed', opensAt: 9 }],
    ['the socket is out of sync', { online: false }, { kind: 'offline' }],
    ['no price came yet', { quote: undefined }, { kind: 'waiting' }],
    ['the price is stale', { quote: { at: now - 12_000, stale: true } }, { kind: 'stale', ageMs: 12_000 }],
    [
      'the market is too quiet',
      { quote: { at: now - 15_001, stale: false } },
      { kind: 'stale', ageMs: 15_001 },
    ],
    ['as quiet as the terms allow', { quote: { at: now - 15_000, stale: false } }, undefined],
    ['no duration is offered', { duration: undefined }, { kind: 'noDuration' }],
    ['it closes first', { closesAt: now + 59_999 }, { kind: 'crossesClose', closesAt: now + 59_999 }],
    ['it closes just then', { closesAt: now + 60_000 }, undefined],
    ['nobody is logged in', { member: false }, { kind: 'login' }],
    [
      'nobody is logged in and it is closed',
      { member: false, status: 'closed' },
      { kind: 'closed', opensAt: null },
    ],
    ['the amount is empty', { amount: undefined }, { kind: 'noAmount' }],
    ['the amount is unclear', { amount: undefined, amountUnclear: true }, { kind: 'unclearAmount' }],
    ['the amount is too small', { amount: minor(99) }, { kind: 'belowMin', min: minor(100) }],
    ['the amount is too large', { amount: minor(500_001) }, { kind: 'aboveMax', max: minor(500_000) }],
    ['the member paused trading', { limits: { ...own, excludedUntil: 9 } }, { kind: 'excluded', until: 9 }],
    [
      'over the largest stake of their own',
      { limits: { ...own, maxStake: minor(9_999) } },
      { kind: 'maxStake', max: minor(9_999) },
    ],
    [
      'a loss would pass the limit of the day',
      { limits: { ...own, lossLeft: minor(9_999) } },
      { kind: 'dailyLoss', left: minor(9_999) },
    ],
    ['the limit of the day is used up', { limits: { ...own, lossLeft: minor(99) } }, { kind: 'lossReached' }],
    [
      'as much as the limits allow',
      { limits: { ...own, maxStake: minor(10_000), lossLeft: minor(10_000) } },
      undefined,
    ],
    ['the balance is not known', { available: undefined }, { kind: 'balanceWaiting' }],
    ['the balance is too small', { available: minor(9_999) }, { kind: 'balance', available: minor(9_999) }],
    ['the balance is just enough', { available: minor(10_000) }, undefined],
  ]
  it.each(cases)('%s', (_, patch, expected) => expect(preTradeCheck({ ...good, ...patch })).toEqual(expected))

  it('greys prices only where they stand still, and marks the field only for its own fault', () => {
    expect([
      isPricePaused({ kind: 'offline' }),
      isPricePaused({ kind: 'noAmount' }),
      isPricePaused(undefined),
    ]).toEqual([true, false, false])
    expect([
      isAmountInvalid({ kind: 'belowMin', min: minor(1) }),
      isAmountInvalid({ kind: 'login' }),
    ]).toEqual([true, false])
  })

  it('knows the limits that hold now, and what the day leaves to lose', () => {
    const limits: SelfLimits = {
      active: { maxStake: '50.00', maxDailyLoss: '100.00', maxDailyDeposit: null, excludedUntil: 2000 },
      pending: [
        { field: 'maxStake', value: null, effectiveAt: 3000 },
        { field: 'maxDailyLoss', value: '200.00', effectiveAt: 1000 },
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

  it('fills no more than the own limits leave', () => {
    const duration = { seconds: 1, rateBp: 1, min: '1.00', max: '500.00' }
    const most = (patch: Partial<EffectiveLimits>) => formatMoney(maxStakeNow(duration, { ...own, ...patch }))
    expect([
      most({}),
      most({ maxStake: minor(4000) }),
      most({ lossLeft: minor(3000) }),
      most({ lossLeft: minor(-1) }),
    ]).toEqual(['500.00', '40.00', '30.00', '500.00'])
  })

  it('takes no more than the specification, whatever a duration says', () => {
    expect(formatMoney(maxStakeOf({ seconds: 1, rateBp: 1, min: '1.00', max: '5000000.00' }))).toBe(
      '999999.00',
    )
  })
})

describe('estimate', () => {
  it.each([
    [10_000, 8500, '85.00', '-100.00', 0.5405],
    [333, 8000, '2.66', '-3.33', 0.5556],
    [undefined, 8500, '0.00', '0.00', 0.5405],
  ])('of %s at %i bp', (amount, rateBp, win, loss, even) => {
    const told = estimateOutcome(amount === undefined ? undefined : minor(amount), rateBp)
    expect([formatMoney(told.win), formatMoney(told.loss)]).toEqual([win, loss])
    expect(told.breakEven).toBeCloseTo(even, 4)
  })
})

describe('what becomes of a confirmed order', () => {
  const draft: OrderDraft = { productId: 'A', direction: 'up', amount: '10.00', seconds: 60, rateBp: 8500 }
  const intent: StoredPlacement = { ...draft, key: 'k', validUntil: 5 }
  const refused = (code: string, params: Record<string, unknown> = {}): Failure => ({
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
      'a rule said no',
      { state: 'rejected', intent, failure: refused('FEED_STALE') },
      { step: 'reviewing', draft, notice: { kind: 'rejected', failure: refused('FEED_STALE') } },
    ],
    [
      'the rate changed: the new one is asked for',
      { state: 'rejected', intent, failure: refused('RATE_CHANGED', { rateBp: 8400 }) },
      {
        step: 'reviewing',
        draft: { ...draft, rateBp: 8400 },
        notice: { kind: 'rate', from: 8500, to: 8400 },
      },
    ],
  ]
  it.each(cases)('%s', (_, placement, expected) => expect(afterPlacement(draft, placement)).toEqual(expected))
  it('asks first', () => expect(reviewing(draft)).toEqual({ step: 'reviewing', draft, notice: undefined }))
})

describe('small readings', () => {
  it('marks open orders with their entry in decimal prices', () => {
    const entry = { seq: 4, at: 7, price: '12.34' }
    expect(chartMarksOf([sampleOrder({ entry }), sampleOrder({ id: 'o2' })])).toEqual([
      { id: 'o1', direction: 'up', closeAt: 1_030_000, entry: { at: 7, price: 12.34 } },
      { id: 'o2', direction: 'up', closeAt: 1_030_000, entry: undefined },
    ])
  })
  it.each([
    ['recording: EURUSD_dukascopy_2019-02-04 (2019-02-04), looped', '2019-02-04'],
    ['recording: BTCUSDT 2024-08-08T2354', undefined],
    ['synthetic', undefined],
  ])('%s', (source, day) => expect(replayDay(source)).toBe(day))
  it.each([
    ['recording: EURUSD_dukascopy_2019-02-04 (2019-02-04), looped', 'EURUSD dukascopy'],
    ['recording: BTCUSDT_binance_spot_2024-08-08T2354 (2024-08-08), looped', 'BTCUSDT binance spot'],
    ['recording: own (2020-09-13), looped', 'own'],
    ['live: binance', 'binance'],
    ['synthetic', undefined],
    ['something else', 'something else'],
  ])('%s is told as %s', (source, name) => expect(sourceName(source)).toBe(name))
})
