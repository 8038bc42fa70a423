import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { minor, epochMs } from '../../../../contract/units.ts'
import type { Assets } from '../../../../contract/ledger.ts'
import { selfLimitRoutes, type SelfLimits } from '../../../../contract/selfLimits.ts'
import { addDays, addMonths, dayMs, monthOf, weekOf, type BusinessDay } from '../../../../contract/time.ts'
import { withDatabase } from '../../../support/withVenue.ts'
import { orderRequest, placeOrder, tickOnce, runMarket } from '../../../support/orders.ts'
import { withPostgres } from '../../../support/postgres.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'
import { ledgerSum } from '../../../support/ledgerSum.ts'

const none = {
  maxStake: null,
  maxDailyLoss: null,
  maxWeeklyLoss: null,
  maxMonthlyLoss: null,
  maxDailyDeposit: null,
  maxWeeklyDeposit: null,
  maxMonthlyDeposit: null,
  excludedUntil: null,
}
const put = (member: MemberClient, change: Partial<SelfLimits['active']>) =>
  member.send<SelfLimits>('PUT', '/me/limits', { ...none, ...change })
const getLimits = async (member: MemberClient): Promise<SelfLimits> =>
  (await member.get<SelfLimits>('/me/limits')).body

let venue: TestVenue
const database = await withDatabase()
beforeEach(async () => {
  venue = await openTestVenue(database)
  await venue.clock.advance(1)
  tickOnce(venue)
})
afterEach(async () => {
  expect(venue.reportedErrors).toEqual([])
  expect(await ledgerSum(venue.database)).toBe(0)
  await venue.close()
})
const order = async (member: MemberClient, amount: string): Promise<unknown[]> => {
  const { status, code, params } = await member.post('/orders', orderRequest(venue, { amount }))
  return code === undefined ? [status] : [status, code, params]
}
const deposit = async (member: MemberClient, amount: string): Promise<unknown[]> => {
  const { status, code, params } = await member.post('/deposits', { methodId: 'practice', amount })
  return code === undefined ? [status] : [status, code, params]
}

describe('changing limits', () => {
  it('takes effect at once if tighter, after 24 hours if looser', async () => {
    const member = await venue.createMember()
    expect(await getLimits(member)).toEqual({ active: none, pending: [] })
    const first = await put(member, { maxStake: '50.00', maxDailyDeposit: '100.00' })
    expect([first.status, first.body]).toEqual([
      200,
      { active: { ...none, maxStake: '50.00', maxDailyDeposit: '100.00' }, pending: [] },
    ])
    const { body } = await put(member, { maxStake: '80.00', maxDailyDeposit: '60.00' })
    const effectiveAt = venue.clock.now() + dayMs
    expect(body).toEqual({
      active: { ...none, maxStake: '50.00', maxDailyDeposit: '60.00' },
      pending: [{ field: 'maxStake', value: '80.00', effectiveAt }],
    })
    expect(selfLimitRoutes.limits.answer.safeParse(body).success).toBe(true)
    expect(await order(member, '80.00')).toEqual([423, 'SELF_LIMIT', { field: 'maxStake', max: '50.00' }])
    await venue.clock.jumpBy(dayMs - 1)
    expect((await getLimits(member)).active.maxStake).toBe('50.00')
    await venue.clock.advance(1)
    expect(await getLimits(member)).toEqual({
      active: { ...none, maxStake: '80.00', maxDailyDeposit: '60.00' },
      pending: [],
    })
    tickOnce(venue)
    expect(await order(member, '80.00')).toEqual([201])
  })

  it('leaves limits per week and month as they are if a request does not name them', async () => {
    const member = await venue.createMember()
    await put(member, { maxWeeklyLoss: '50.00', maxMonthlyDeposit: '70.00' })
    const { status, body } = await member.send<SelfLimits>('PUT', '/me/limits', {
      maxStake: '5.00',
      maxDailyLoss: null,
      maxDailyDeposit: null,
      excludedUntil: null,
    })
    const active = { ...none, maxStake: '5.00', maxWeeklyLoss: '50.00', maxMonthlyDeposit: '70.00' }
    expect([status, body]).toEqual([200, { active, pending: [] }])
    const later = (await put(member, { maxStake: '5.00', maxMonthlyDeposit: '70.00' })).body
    expect(later).toMatchObject({ active, pending: [{ field: 'maxWeeklyLoss', value: null }] })
  })

  it('delays by the business calendar and reports venue time', async () => {
    const member = await venue.createMember()
    await venue.advanceCalendar(5 * dayMs)
    const excludedUntil = venue.clock.now() + 2 * dayMs
    await put(member, { maxStake: '50.00', excludedUntil: epochMs(excludedUntil) })
    const { pending } = (await put(member, { excludedUntil: epochMs(excludedUntil) })).body
    expect(pending).toEqual([{ field: 'maxStake', value: null, effectiveAt: venue.clock.now() + dayMs }])
    expect((await getLimits(member)).active.excludedUntil).toBe(excludedUntil)
    await venue.advanceCalendar(dayMs / 2)
    const half = await getLimits(member)
    expect(half.pending[0]!.effectiveAt).toBe(venue.clock.now() + dayMs / 2)
    expect(half.active.excludedUntil).toBe(excludedUntil - dayMs / 2)
    await venue.advanceCalendar(dayMs / 2)
    expect(await getLimits(member)).toEqual({
      active: { ...none, excludedUntil: excludedUntil - dayMs },
      pending: [],
    })
    await venue.advanceCalendar(dayMs)
    expect(await getLimits(member)).toEqual({ active: none, pending: [] })
  })

  it.each([
    [{ maxStake: '5' }, { maxStake: 'AMOUNT_FORMAT' }],
    [{ maxStake: '-5.00' }, { maxStake: 'AMOUNT_FORMAT' }],
    [{ excludedUntil: 9e15 }, { excludedUntil: 'INVALID' }],
    [{ excludedUntil: '2030-01-01' }, { excludedUntil: 'TYPE' }],
    [{ maxLoss: '5.00' }, { maxLoss: 'UNKNOWN_FIELD' }],
  ])('rejects %j with %j', async (change, fields) => {
    const member = await venue.createMember()
    const reply = await put(member, change as never)
    expect([reply.status, reply.fields]).toEqual([400, fields])
  })

  it('keeps the tighter of two concurrent changes', async () => {
    const member = await venue.createMember()
    await Promise.all([put(member, { maxStake: '10.00' }), put(member, { maxStake: '90.00' })])
    expect((await getLimits(member)).active.maxStake).toBe('10.00')
  })
})

describe('limits reject', () => {
  it('a stake above the maximum, after validation and before the product checks', async () => {
    const member = await venue.createMember()
    await put(member, { maxStake: '20.00' })
    expect(await order(member, '20.01')).toEqual([423, 'SELF_LIMIT', { field: 'maxStake', max: '20.00' }])
    expect(await order(member, '20.00')).toEqual([201])
    await venue.clock.advance(60_000)
    expect((await order(member, '20.01'))[1]).toBe('SELF_LIMIT')
    expect((await order(member, '20.00'))[1]).toBe('FEED_STALE')
    const late = orderRequest(venue, { amount: '20.01', validUntil: epochMs(venue.clock.now() + 40_000) })
    expect((await member.post('/orders', late)).fields).toEqual({ validUntil: 'VALID_UNTIL' })
  })

  it('a stake above the daily loss, counting open stakes as lost, until the next day', async () => {
    const member = await venue.createMember()
    await put(member, { maxDailyLoss: '25.00' })
    expect(await order(member, '10.00')).toEqual([201])
    expect(await order(member, '15.00')).toEqual([201])
    const rejected = [423, 'SELF_LIMIT', { field: 'maxDailyLoss', max: '25.00' }]
    expect(await order(member, '1.00')).toEqual(rejected)
    let price = 10_000
    await runMarket(venue, 40_000, () => (price -= 1))
    expect((await member.get<Assets>('/me/assets')).body).toMatchObject({
      todayPnl: '-25.00',
      openStakes: '0.00',
    })
    expect(await order(member, '1.00')).toEqual(rejected)
    await venue.advanceCalendar(dayMs)
    expect(await order(member, '25.00')).toEqual([201])
    expect(await order(member, '1.00')).toEqual(rejected)
  })

  it('only losses beyond the day’s winnings', async () => {
    const member = await venue.createMember()
    await put(member, { maxDailyLoss: '10.00' })
    await placeOrder(venue, member)
    let price = 10_000
    await runMarket(venue, 40_000, () => (price += 1))
    expect((await member.get<Assets>('/me/assets')).body.todayPnl).toBe('8.00')
    expect((await order(member, '18.01'))[1]).toBe('SELF_LIMIT')
    expect(await order(member, '18.00')).toEqual([201])
  })

  it('deposits above the daily maximum', async () => {
    const member = await venue.createMember()
    await put(member, { maxDailyDeposit: '100.00' })
    expect(await deposit(member, '60.00')).toEqual([201])
    const rejected = [423, 'SELF_LIMIT', { field: 'maxDailyDeposit', max: '100.00' }]
    expect(await deposit(member, '40.01')).toEqual(rejected)
    expect(await deposit(member, '40.00')).toEqual([201])
    expect(await deposit(member, '1.00')).toEqual(rejected)
    await venue.advanceCalendar(dayMs)
    expect(await deposit(member, '100.00')).toEqual([201])
  })

  /** The first and last day of the next week or month of the calendar, and the first of the one after. */
  const nextPeriod = (field: string): [BusinessDay, BusinessDay, BusinessDay] => {
    const today = venue.business.today()
    if (field.startsWith('maxWeekly')) {
      const monday = addDays(weekOf(today), 7)
      return [monday, addDays(monday, 6), addDays(monday, 7)]
    }
    const [first, after] = [1, 2].map((months) => `${addMonths(monthOf(today), months)}-01`)
    return [first!, addDays(after!, -1), after!]
  }
  const advanceTo = (day: BusinessDay): Promise<void> =>
    venue.advanceCalendar(Date.parse(day) - Date.parse(venue.business.today()))

  it.each(['maxWeeklyLoss', 'maxMonthlyLoss'] as const)(
    'a stake above %s, until the next one',
    async (field) => {
      const member = await venue.createMember()
      await put(member, { [field]: '25.00' })
      const [first, last, next] = nextPeriod(field)
      await advanceTo(first)
      expect(await order(member, '10.00')).toEqual([201])
      let price = 10_000
      await runMarket(venue, 40_000, () => (price -= 1))
      await advanceTo(last)
      expect(await order(member, '15.00')).toEqual([201])
      const rejected = [423, 'SELF_LIMIT', { field, max: '25.00' }]
      expect(await order(member, '1.00')).toEqual(rejected)
      await runMarket(venue, 40_000, () => (price -= 1))
      expect(await order(member, '1.00')).toEqual(rejected)
      await advanceTo(next)
      expect(await order(member, '25.00')).toEqual([201])
      expect(await order(member, '1.00')).toEqual(rejected)
    },
  )

  it.each(['maxWeeklyDeposit', 'maxMonthlyDeposit'] as const)(
    'a deposit above %s, until the next one',
    async (field) => {
      const member = await venue.createMember()
      await put(member, { [field]: '100.00' })
      const [first, last, next] = nextPeriod(field)
      await advanceTo(first)
      expect(await deposit(member, '60.00')).toEqual([201])
      await advanceTo(last)
      const rejected = [423, 'SELF_LIMIT', { field, max: '100.00' }]
      expect(await deposit(member, '40.01')).toEqual(rejected)
      expect(await deposit(member, '40.00')).toEqual([201])
      await advanceTo(next)
      expect(await deposit(member, '100.00')).toEqual([201])
      expect(await deposit(member, '1.00')).toEqual(rejected)
    },
  )

  it('by the tightest of day, week and month', async () => {
    const member = await venue.createMember()
    await put(member, { maxDailyLoss: '50.00', maxWeeklyLoss: '30.00', maxMonthlyLoss: '40.00' })
    expect(await order(member, '30.01')).toEqual([
      423,
      'SELF_LIMIT',
      { field: 'maxWeeklyLoss', max: '30.00' },
    ])
    expect(await order(member, '30.00')).toEqual([201])
  })

  it('orders and deposits during an exclusion', async () => {
    const member = await venue.createMember()
    const excludedUntil = venue.clock.now() + dayMs / 2
    await put(member, { excludedUntil: epochMs(excludedUntil) })
    const rejected = [423, 'EXCLUDED', { until: excludedUntil }]
    expect(await order(member, '10.00')).toEqual(rejected)
    expect(await deposit(member, '10.00')).toEqual(rejected)
    expect((await put(member, { excludedUntil: null })).body.active.excludedUntil).toBe(excludedUntil)
    expect(await order(member, '10.00')).toEqual(rejected)
    await venue.clock.jumpBy(dayMs / 2)
    tickOnce(venue)
    expect(await order(member, '10.00')).toEqual([201])
    expect(await deposit(member, '10.00')).toEqual([201])
  })
})

const postgres = await withPostgres('limits')
postgres.describe('concurrent requests on PostgreSQL', () => {
  let postgresVenue: TestVenue
  beforeAll(async () => {
    postgresVenue = await openTestVenue(postgres.database())
    await postgresVenue.clock.advance(1)
    tickOnce(postgresVenue)
  })
  afterAll(async () => {
    expect(postgresVenue.reportedErrors).toEqual([])
    await postgresVenue.close()
  })

  it('accepts exactly 10 of 30 orders of 10.00 with a daily loss of 100.00', async () => {
    for (let round = 0; round < 3; round++) {
      const member = await postgresVenue.createMember(minor(100_000))
      await put(member, { maxDailyLoss: '100.00' })
      const replies = await Promise.all(
        Array.from({ length: 30 }, () => member.post('/orders', orderRequest(postgresVenue))),
      )
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(10)
      expect(replies.filter(({ code }) => code === 'SELF_LIMIT')).toHaveLength(20)
    }
  })

  it('accepts exactly 5 of 20 deposits of 10.00 with 50.00 a day', async () => {
    const member = await postgresVenue.createMember()
    await put(member, { maxDailyDeposit: '50.00' })
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => member.post('/deposits', { methodId: 'practice', amount: '10.00' })),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(5)
    expect(replies.filter(({ code }) => code === 'SELF_LIMIT')).toHaveLength(15)
  })
})
