import { describe, expect, it } from 'vitest'
import { minor } from '../../../../contract/units.ts'
import type { TicketFacts } from '../../../../src/pages/product/preTradeCheck.ts'
import { reviewing } from '../../../../src/pages/product/placement.ts'
import { repeatStep } from '../../../../src/pages/product/useRepeatedOrder.ts'
import type { RepeatedTerms } from '../../../../src/state/ticket.ts'

const duration = { seconds: 60, rateBp: 8500, min: '5.00', max: '5000.00' }
const facts: TicketFacts = {
  now: 1_000_000,
  member: true,
  isVenueOpen: true,
  connection: 'current',
  status: 'open',
  opensAt: null,
  closesAt: null,
  quote: { at: 999_500, stale: false, witness: undefined },
  maxTickGapMs: 15_000,
  duration,
  amountText: '',
  amount: minor(2500),
  available: minor(1_000_000),
  limits: undefined,
}
const again: RepeatedTerms = {
  productId: 'A',
  direction: 'down',
  amount: '25.00',
  seconds: 60,
  rateBp: 8000,
  askedAt: 5000,
}
const step = (change: Partial<TicketFacts> = {}, terms: Partial<RepeatedTerms> = {}, now = 6000) =>
  repeatStep({ ...again, ...terms }, { durations: [duration] }, { ...facts, ...change }, now)

describe('an order again', () => {
  it('is reviewed with the same terms at the rate offered now', () => {
    expect(step()).toEqual({
      kind: 'review',
      draft: { productId: 'A', direction: 'down', amount: '25.00', seconds: 60, rateBp: 8500 },
    })
  })

  it.each<[string, Partial<TicketFacts>]>([
    ['the ticket has another amount', { amount: minor(2600) }],
    ['the ticket has no amount', { amount: undefined }],
    ['the ticket has another duration', { duration: { ...duration, seconds: 30 } }],
    ['there is no price yet', { quote: undefined }],
    ['the balance is not loaded', { available: undefined }],
    ['the socket is not in sync', { connection: 'interrupted' }],
    ['the price is an old one', { quote: { at: 1, stale: true, witness: undefined } }],
  ])('waits while %s', (_name, change) => expect(step(change)).toEqual({ kind: 'wait' }))

  it.each<[string, Partial<TicketFacts>]>([
    ['closed', { status: 'closed' }],
    ['maintenance', { isVenueOpen: false }],
    ['crossesClose', { closesAt: 1_030_000 }],
    ['balance', { available: minor(2499) }],
    ['excluded', { limits: { excludedUntil: 2_000_000, maxStake: null, lossLeft: null } }],
    ['maxStake', { limits: { excludedUntil: null, maxStake: minor(1000), lossLeft: null } }],
  ])('is blocked as every order is: %s', (kind, change) =>
    expect(step(change)).toMatchObject({ kind: 'blocked', reason: { kind } }),
  )

  it('says that its duration is no longer offered', () => {
    expect(step({}, { seconds: 300 })).toEqual({ kind: 'durationGone' })
  })

  it('is forgotten after a quarter of a minute', () => {
    expect(step({ quote: undefined }, {}, 20_000)).toEqual({ kind: 'wait' })
    expect(step({}, {}, 20_001)).toEqual({ kind: 'forget' })
  })

  it('shows the rate of the order whose terms it repeats, if it was another one', () => {
    const draft = { productId: 'A', direction: 'down', amount: '25.00', seconds: 60, rateBp: 8500 } as const
    expect(reviewing(draft, 8000)).toMatchObject({ notice: { kind: 'rateThen', from: 8000, to: 8500 } })
    expect(reviewing(draft, 8500)).toMatchObject({ notice: undefined })
    expect(reviewing(draft)).toMatchObject({ notice: undefined })
  })
})
