import { afterEach, beforeEach, expect, it } from 'vitest'
import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { minor, type Minor } from '../../../../contract/units.ts'
import { addDays, dayMs, hourMs, minuteMs } from '../../../../contract/time.ts'
import { fundAccount } from '../../../../server/money/schema.ts'
import { fundConfig } from '../../../../server/money/fund/fundConfig.ts'
import { createFundMember } from '../../../support/fundMember.ts'
import { withDatabase, withVenue } from '../../../support/withVenue.ts'

const withRates = (rates: z.input<typeof fundConfig>) => ({
  operatorConfig: { fund: z.parse(fundConfig, rates) },
})
/** 1.0000 a day for 10,000.00 is one cent a day for every 100.00. */
const centPerHundred = withRates({ practicePer10k: ['1.0000'] })
const createMember = (available?: Minor) => createFundMember(venue, available)

/** The Monday on which the running test began. */
let monday = '2025-12-29'
/** The business day that many days after it. */
const day = (after: number): string => addDays(monday, after)
/** That hour of a business day, as venue time. */
const at = (after: number, hour: number): number => venue.business.startOf(day(after)) + hour * hourMs

const venue = await withVenue(centPerHundred)
// Every test begins on a Monday at 10:00, with a member of its own.
beforeEach(async () => {
  const today = venue.business.today()
  while (day(0) < today || at(0, 10) < venue.clock.now()) monday = day(7)
  await venue.clock.jumpBy(at(0, 10) - venue.clock.now())
})
afterEach(() => expect(venue.reportedErrors).toEqual([]))

it('shows the limits and dates of an empty fund', async () => {
  const member = await createMember()
  expect(await member.view()).toEqual({
    total: '0.00',
    confirmed: '0.00',
    pending: '0.00',
    yesterdayEarnings: '0.00',
    totalEarnings: '0.00',
    per10k: '1.0000',
    rate7dBp: 365,
    depositsLeft: 5,
    withdrawalsLeft: 3,
    fastLeft: '10000.00',
    cutoffAt: at(0, 15),
    resetAt: at(1, 0),
    nextConfirmOn: day(1),
    nextEarningOn: day(1),
    nextCreditOn: day(2),
    version: 0,
  })
})

it('confirms a deposit the next trading day and credits it the day after', async () => {
  const member = await createMember()
  const put = await member.deposit('1000.00')
  expect(put).toMatchObject({
    status: 201,
    body: {
      amount: '1000.00',
      status: 'pending_review',
      confirmOn: day(1),
      firstEarningOn: day(1),
      firstCreditOn: day(2),
    },
  })
  expect(await member.view()).toMatchObject({ pending: '1000.00', confirmed: '0.00', depositsLeft: 4 })
  await venue.clock.jumpBy(14 * hourMs)
  expect(await member.view()).toMatchObject({
    pending: '0.00',
    confirmed: '1000.00',
    yesterdayEarnings: '0.00',
    depositsLeft: 5,
  })
  await venue.clock.jumpBy(24 * hourMs)
  expect(await member.view()).toMatchObject({
    confirmed: '1000.10',
    yesterdayEarnings: '0.10',
    totalEarnings: '0.10',
  })
  const assets = await venue.ledger.assets(member.id)
  expect(assets).toMatchObject({
    available: '9000.00',
    fund: '1000.10',
    accountPnl: '0.10',
    todayPnl: '0.10',
  })
  expect((await member.get(`/fund/earnings?month=${day(1).slice(0, 7)}`)).body).toEqual({
    items: [{ on: day(1), amount: '0.10', confirmed: '1000.00', per10k: '1.0000' }],
    nextCursor: null,
  })
  expect((await member.get('/fund/earnings?month=2025-01')).body).toEqual({ items: [], nextCursor: null })
  expect(venue.bus.eventsFor<{ key: string }>(member.id, 'message').map(({ key }) => key)).toEqual([
    'fundConfirmed',
  ])
})

it('counts a deposit from 15:00 on for the next trading day', async () => {
  const member = await createMember()
  await venue.clock.jumpBy(5 * hourMs - 1)
  expect((await member.deposit('10.00')).body).toMatchObject({ confirmOn: day(1) })
  await venue.clock.jumpBy(1)
  expect((await member.deposit('10.00')).body).toMatchObject({ confirmOn: day(2) })
  await venue.clock.jumpBy(4 * dayMs)
  expect((await member.view()).cutoffAt).toBe(at(7, 15))
  expect((await member.deposit('10.00')).body).toMatchObject({ confirmOn: day(8) })
})

it('rejects invalid deposits', async () => {
  const member = await createMember(minor(10_000))
  const rejection = async (body: unknown) => {
    const { status, code, fields } = await member.post('/fund/deposits', body)
    return [status, code, fields?.['amount'] ?? null]
  }
  expect(await rejection({ amount: '100.01' })).toEqual([422, 'INSUFFICIENT_BALANCE', null])
  expect(await rejection({ amount: '0.99' })).toEqual([400, 'VALIDATION', 'AMOUNT_MIN'])
  expect(await rejection({ amount: '0.00' })).toEqual([400, 'VALIDATION', 'AMOUNT_MIN'])
  expect(await rejection({ amount: '999999.01' })).toEqual([400, 'VALIDATION', 'AMOUNT_MAX'])
  expect(await rejection({ amount: '1.5' })).toEqual([400, 'VALIDATION', 'AMOUNT_FORMAT'])
  expect(await rejection({})).toEqual([400, 'VALIDATION', 'REQUIRED'])
  // The rejected ones did not count: five succeed, the sixth does not, and tomorrow five are left again.
  for (let i = 0; i < 5; i++) expect((await member.deposit('1.00')).status).toBe(201)
  const sixth = await member.deposit('1.00')
  expect([sixth.status, sixth.code, sixth.params]).toEqual([422, 'FUND_TIMES_USED', { resetAt: at(1, 0) }])
  await venue.clock.jumpBy(14 * hourMs)
  expect((await member.view()).depositsLeft).toBe(5)
  expect((await member.deposit('1.00')).status).toBe(201)
})

it('rejects invalid withdrawals in a fixed order of checks', async () => {
  const member = await createMember(minor(3_000_000))
  await member.deposit('25000.00')
  const rejection = async (...args: Parameters<typeof member.withdraw>) => {
    const { status, code, params } = await member.withdraw(...args)
    return [status, code, params]
  }
  expect(await rejection('1.00')).toEqual([422, 'INSUFFICIENT_SHARES', { confirmed: '0.00' }])
  await venue.clock.jumpBy(14 * hourMs)
  expect(await rejection('10000.01')).toEqual([422, 'FAST_CAP', { fastLeft: '10000.00' }])
  expect(await rejection('25000.01', 'standard')).toEqual([
    422,
    'INSUFFICIENT_SHARES',
    { confirmed: '25000.00' },
  ])
  expect(await rejection('30000.00', 'fast', '135791')).toEqual([
    422,
    'TRANSACTION_PASSWORD_WRONG',
    undefined,
  ])
  expect((await member.withdraw('0.00')).fields).toEqual({ amount: 'AMOUNT_MIN' })
  expect((await member.withdraw('1.00', 'slow' as 'fast')).code).toBe('VALIDATION')
  expect((await member.withdraw('1.00', 'fast', '')).fields).toEqual({ transactionPassword: 'EMPTY' })
  expect((await member.withdraw('9000.00')).status).toBe(201)
  expect(await rejection('1000.01')).toEqual([422, 'FAST_CAP', { fastLeft: '1000.00' }])
  expect((await member.withdraw('1000.00')).status).toBe(201)
  expect((await member.withdraw('1000.00', 'standard')).status).toBe(201)
  expect(await rejection('0.01', 'standard')).toEqual([422, 'FUND_TIMES_USED', { resetAt: at(2, 0) }])
  expect(await member.view()).toMatchObject({ withdrawalsLeft: 0, fastLeft: '0.00', confirmed: '14000.00' })
})

it('locks after five wrong passwords, also for the right one', async () => {
  const member = await createMember()
  await member.deposit('100.00')
  await venue.clock.jumpBy(14 * hourMs)
  for (let i = 0; i < 5; i++)
    expect((await member.withdraw('1.00', 'fast', '000111')).code).toBe('TRANSACTION_PASSWORD_WRONG')
  const locked = await member.withdraw('1.00')
  expect([locked.status, locked.code]).toEqual([423, 'TRANSACTION_PASSWORD_LOCKED'])
  expect((await member.view()).confirmed).toBe('100.00')
})

it('pays a fast withdrawal at once and a standard one at the start of the next trading day', async () => {
  const member = await createMember()
  await member.deposit('1000.00')
  await venue.clock.jumpBy(3 * dayMs)
  // Thursday: Wednesday has been credited.
  expect(await member.view()).toMatchObject({ confirmed: '1000.20' })
  expect((await member.withdraw('100.00')).body).toMatchObject({
    kind: 'withdrawal',
    mode: 'fast',
    status: 'successful',
    amount: '100.00',
    onDay: day(3),
  })
  await venue.clock.jumpBy(dayMs)
  const standard = await member.withdraw('500.00', 'standard')
  expect(standard.body).toMatchObject({ status: 'under_review', onDay: day(7) })
  expect(await member.balance()).toMatchObject({ available: 910_000, held: 50_000, fund: 40_029 })
  await venue.clock.jumpBy(2 * dayMs)
  expect(await member.balance()).toMatchObject({ available: 910_000, held: 50_000 })
  await venue.clock.jumpBy(14 * hourMs)
  expect(await member.balance()).toMatchObject({ available: 960_000, held: 0 })
  const { items } = (
    await member.get<{ items: { kind: string; amount: string; status: string }[] }>('/fund/records')
  ).body
  expect(items.filter(({ kind }) => kind === 'withdrawal')).toMatchObject([
    { amount: '500.00', status: 'successful' },
    { amount: '100.00', status: 'successful' },
  ])
  const entries = (
    await member.get<{ items: { type: string; amount: string; balanceAfter: string }[] }>(
      '/me/ledger?type=fund_out',
    )
  ).body.items
  expect(entries.map(({ amount, balanceAfter }) => [amount, balanceAfter])).toEqual([
    ['500.00', '9600.00'],
    ['0.00', '9100.00'],
    ['100.00', '9100.00'],
  ])
})

it('lists transfers and earnings with their business day', async () => {
  const member = await createMember()
  const before = venue.business.today()
  await venue.dailyJobs.advance(7 * dayMs)
  const today = addDays(before, 7)
  await member.deposit('1000.00')
  type Dated = { kind: string; madeOn: string; depositedOn: string }
  const list = async (name: string) => (await member.get<{ items: Dated[] }>(`/fund/${name}`)).body.items
  expect((await list('lots')).map(({ depositedOn }) => depositedOn)).toEqual([today])
  await venue.dailyJobs.advance(2 * dayMs)
  await member.withdraw('10.00')
  expect((await list('records')).map(({ kind, madeOn }) => [kind, madeOn])).toEqual([
    ['withdrawal', addDays(today, 2)],
    ['earning', addDays(today, 2)],
    ['deposit', today],
  ])
  expect((await list('lots')).map(({ kind, depositedOn }) => [kind, depositedOn])).toEqual([
    ['earnings', addDays(today, 2)],
    ['deposit', today],
  ])
})

it('consumes the oldest lots first and earnings last', async () => {
  const member = await createMember()
  await member.deposit('100.00')
  await member.deposit('200.00')
  await venue.clock.jumpBy(dayMs)
  await member.deposit('50.00')
  await venue.clock.jumpBy(dayMs)
  type Lot = { kind: string; amount: string; remaining: string; status: string }
  const lots = async () =>
    (await member.get<{ items: Lot[] }>('/fund/lots')).body.items.map((lot) => [lot.kind, lot.remaining])
  expect(await lots()).toEqual([
    ['earnings', '0.03'],
    ['deposit', '50.00'],
    ['deposit', '200.00'],
    ['deposit', '100.00'],
  ])
  await member.withdraw('150.00')
  expect(await lots()).toEqual([
    ['earnings', '0.03'],
    ['deposit', '50.00'],
    ['deposit', '150.00'],
    ['deposit', '0.00'],
  ])
  await member.withdraw('200.02', 'standard')
  expect(await lots()).toEqual([
    ['earnings', '0.01'],
    ['deposit', '0.00'],
    ['deposit', '0.00'],
    ['deposit', '0.00'],
  ])
  expect(await member.view()).toMatchObject({ total: '0.01', confirmed: '0.01' })
})

it('replays the answer or the error of an idempotency key', async () => {
  const member = await createMember(minor(10_000))
  const key = venue.random.uuid()
  const first = await member.deposit('60.00', key)
  const again = await member.deposit('60.00', key)
  expect([again.status, again.replayed, again.body]).toEqual([201, true, first.body])
  expect((await member.deposit('61.00', key)).code).toBe('IDEMPOTENCY_MISMATCH')
  const rejectedKey = venue.random.uuid()
  expect((await member.deposit('41.00', rejectedKey)).code).toBe('INSUFFICIENT_BALANCE')
  expect(await member.deposit('41.00', rejectedKey)).toMatchObject({
    code: 'INSUFFICIENT_BALANCE',
    replayed: true,
  })
  expect(await member.balance()).toMatchObject({ available: 4_000, fund: 6_000 })
})

it('advances the calendar through each midnight in order', async () => {
  const member = await createMember()
  await member.deposit('1000.00')
  const before = venue.clock.now()
  const offsetBefore = venue.business.offsetMs()
  await venue.dailyJobs.advance(7 * dayMs)
  expect(venue.clock.now()).toBe(before)
  expect(venue.business.offsetMs()).toBe(offsetBefore + 7 * dayMs)
  // Tuesday to Sunday earn. Each is credited at its own midnight, so today's result is only Sunday's.
  expect(await member.view()).toMatchObject({
    totalEarnings: '0.60',
    yesterdayEarnings: '0.10',
    resetAt: before + 14 * hourMs,
    cutoffAt: before + 5 * hourMs,
    nextConfirmOn: day(8),
  })
  expect(await venue.ledger.assets(member.id)).toMatchObject({ todayPnl: '0.10', accountPnl: '0.60' })
  const { items } = (await member.get<{ items: { on: string }[] }>('/fund/earnings')).body
  expect(items.map(({ on }) => on)).toEqual([6, 5, 4, 3, 2, 1].map(day))
  await expect(venue.dailyJobs.advance(0)).rejects.toMatchObject({ code: 'VALIDATION' })
  await expect(venue.dailyJobs.advance(401 * dayMs)).rejects.toMatchObject({ code: 'VALIDATION' })
  // The next midnight of the advanced calendar runs automatically.
  await venue.clock.jumpBy(14 * hourMs)
  expect((await member.view()).totalEarnings).toBe('0.70')
})

it('catches up missed days once, in order', async () => {
  const member = await createMember()
  await member.deposit('1000.00')
  venue.clock.leap(10 * dayMs)
  await venue.dailyJobs.start()
  await venue.dailyJobs.start()
  expect(await member.view()).toMatchObject({ confirmed: '1000.90', totalEarnings: '0.90' })
})

it('rolls the day for a request that comes before the daily job', async () => {
  const member = await createMember()
  await member.deposit('1000.00')
  venue.clock.leap(2 * dayMs)
  expect((await member.withdraw('1000.10')).status).toBe(201)
  expect(await member.view()).toMatchObject({ confirmed: '0.00', totalEarnings: '0.10' })
  expect((await member.get<{ items: unknown[] }>('/fund/records')).body.items).toHaveLength(3)
})

it('retries a failed run a minute later', async () => {
  const member = await createMember()
  await member.deposit('1000.00')
  await venue.db.execute(sql`ALTER TABLE fund_rate RENAME TO fund_rate_away`)
  await venue.clock.jumpBy(14 * hourMs)
  expect((await member.balance()).fund).toBe(100_000)
  await venue.db.execute(sql`ALTER TABLE fund_rate_away RENAME TO fund_rate`)
  const failure = { err: expect.any(Error) }
  expect(venue.reportedErrors.splice(0)).toEqual([failure, 'the business day of jobs failed'])
  await venue.clock.jumpBy(minuteMs)
  expect((await member.view()).confirmed).toBe('1000.00')
})

it('lists rates by day and never changes those of past days', async () => {
  const own = await withDatabase()
  const first = await withVenue({ database: own, ...centPerHundred })
  await first.clock.jumpBy(2 * dayMs)
  await first.close()
  const { clock, market, secrets } = first
  const rates = withRates({ per10k: { '2026-01-01': '2.0000' } })
  const repriced = await withVenue({ database: own, ...rates, clock, market, secrets })
  const member = await repriced.createMember()
  type Rates = { items: { on: string; per10k: string }[]; nextCursor: string }
  const list = (await member.get<Rates>('/fund/rates?days=4&limit=3')).body
  expect(list.items).toMatchObject([
    { on: '2026-01-06', per10k: '1.0000' },
    { on: '2026-01-05', per10k: '1.0000' },
    { on: '2026-01-04', per10k: '1.0000' },
  ])
  const rest = await member.get(`/fund/rates?days=4&cursor=${list.nextCursor}`)
  expect(rest.body).toMatchObject({ items: [{ on: '2026-01-03', per10k: '2.0000' }], nextCursor: null })
})

it('returns the configured rules', async () => {
  const member = await createMember()
  expect((await member.get('/fund/rules')).body).toEqual({
    zone: 'Asia/Shanghai',
    cutoffHour: 15,
    depositsPerDay: 5,
    withdrawalsPerDay: 3,
    fastCapPerDay: '10000.00',
    minDeposit: '1.00',
    holidays: [],
    practice: true,
  })
})

it('continues a list at the same place while rows are added, and rejects invalid cursors', async () => {
  const member = await createMember()
  for (const amount of ['1.00', '2.00', '3.00']) await member.deposit(amount)
  type List = { items: { amount: string }[]; nextCursor: string | null }
  const first = (await member.get<List>('/fund/records?limit=2')).body
  await member.deposit('4.00')
  const second = (await member.get<List>(`/fund/records?limit=2&cursor=${first.nextCursor}`)).body
  expect([...first.items, ...second.items].map(({ amount }) => amount)).toEqual(['3.00', '2.00', '1.00'])
  expect(second.nextCursor).toBeNull()
  const odd = [Buffer.from('[1,"1"]'), Buffer.from(JSON.stringify([1, 'a\0']))].map((each) =>
    each.toString('base64url'),
  )
  for (const cursor of ['nonsense', ...odd]) {
    for (const list of ['rates', 'earnings']) {
      expect((await member.get(`/fund/${list}?cursor=${cursor}`)).fields).toEqual({ cursor: 'INVALID' })
    }
  }
  expect((await member.get('/fund/lots?cursor=nonsense')).fields).toEqual({ cursor: 'INVALID' })
})

it('the database rejects changes that separate the fund account from the ledger', async () => {
  const member = await createMember()
  await member.deposit('100.00')
  await expect(venue.db.update(fundAccount).set({ pending: 10_001 })).rejects.toThrow()
  await expect(
    venue.db.transaction((tx) =>
      venue.ledger.post(tx, {
        memberId: member.id,
        type: 'fund_in',
        legs: { available: -100, fund: 100 },
      }),
    ),
  ).rejects.toThrow()
})
