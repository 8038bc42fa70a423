import { expect, it } from 'vitest'
import type { Order } from '../../../../contract/orders.ts'
import { resultRoutes, type OwnResults, type ResultDays } from '../../../../contract/results.ts'
import { moneyOf, formatMoney } from '../../../../contract/money.ts'
import { minor } from '../../../../contract/units.ts'
import { businessDay } from '../../../../contract/time.ts'
import { manualClock } from '../../../support/manualClock.ts'
import { placeOrder, runMarket, tickOnce, type OrderList } from '../../../support/orders.ts'
import { zone } from '../../../support/testVenue.ts'
import { withVenue } from '../../../support/withVenue.ts'

/** Twenty minutes before February by the clocks of the venue's zone, which are eight hours ahead of UTC. */
const venue = await withVenue({ clock: manualClock(Date.UTC(2026, 0, 31, 15, 40)) })
const member = await venue.createMember()

/** Runs the market for the longest duration, with a price that rises or stays. */
async function settle(rises: boolean): Promise<void> {
  let price = 10_000
  await runMarket(venue, 62_000, () => (rises ? ++price : price))
}

/** The same totals, added up from the list of orders. */
function totalsOf(orders: readonly Order[]) {
  const count = (status: Order['status']) => orders.filter((order) => order.status === status).length
  const sum = (value: (order: Order) => string | null) =>
    formatMoney(minor(orders.reduce((total, order) => total + moneyOf(value(order) ?? '0.00'), 0)))
  return {
    orders: orders.length,
    won: count('won'),
    lost: count('lost'),
    tied: count('tied'),
    refunded: count('refunded'),
    stake: sum(({ amount }) => amount),
    pnl: sum(({ pnl }) => pnl),
  }
}
const closedOrders = async (): Promise<Order[]> =>
  (await member.get<OrderList>('/orders?tab=closed&limit=100')).body.items
const results = async (query = ''): Promise<OwnResults> =>
  (await member.get<OwnResults>(`/me/results${query}`)).body

it('are counts and sums only while there are few orders', async () => {
  expect(await results()).toEqual({
    total: { ...totalsOf([]), shares: null },
    curve: [],
    byProduct: [],
    byDuration: [],
    byDirection: [],
    byMonth: [],
  })
  await venue.clock.advance(1)
  tickOnce(venue)
  await placeOrder(venue, member)
  await settle(false)
  const { total } = await results()
  expect(total).toEqual({ ...totalsOf(await closedOrders()), shares: null })
  expect(total).toMatchObject({ orders: 1, tied: 1, stake: '10.00', pnl: '0.00' })
})

it('add up the orders by product, duration, direction and month, with shares from thirty on', async () => {
  for (let i = 0; i < 34; i++) {
    const direction = i < 20 ? 'up' : 'down'
    const seconds = i % 2 === 0 ? 30 : 60
    await placeOrder(venue, member, { direction, seconds, amount: i % 4 === 0 ? '40.00' : '10.00' })
  }
  await settle(true)
  // A minute after midnight; in UTC it is still January.
  const february = Date.UTC(2026, 0, 31, 16, 1)
  await venue.clock.jumpBy(february - venue.clock.now())
  tickOnce(venue)
  await placeOrder(venue, member, { direction: 'down' })
  await settle(true)

  const orders = await closedOrders()
  expect(orders).toHaveLength(36)
  const body = await results()
  expect(resultRoutes.results.answer.safeParse(body).success).toBe(true)
  expect(body.total).toMatchObject(totalsOf(orders))
  const decided = orders.filter(({ status }) => status === 'won' || status === 'lost')
  expect(decided).toHaveLength(35)
  const stake = decided.reduce((sum, { amount }) => sum + Number(amount), 0)
  const payoutIfAllWon = decided.reduce(
    (sum, { amount, rateBp }) => sum + Number(amount) * (1 + rateBp / 1e4),
    0,
  )
  expect(body.total.shares).toEqual({
    rightBp: Math.round((20 / 35) * 10_000),
    lowBp: 4086,
    highBp: 7202,
    breakEvenBp: Math.round((stake / payoutIfAllWon) * 10_000),
  })

  const of = (keep: (order: Order) => boolean) => totalsOf(orders.filter(keep))
  expect(body.byProduct).toMatchObject([{ productId: 'TEST', ...of(() => true) }])
  expect(body.byDuration.map(({ shares, ...row }) => [row, shares])).toEqual([
    [{ seconds: 30, ...of(({ seconds }) => seconds === 30) }, null],
    [{ seconds: 60, ...of(({ seconds }) => seconds === 60) }, null],
  ])
  expect(body.byDirection).toMatchObject([
    { direction: 'up', ...of(({ direction }) => direction === 'up') },
    { direction: 'down', ...of(({ direction }) => direction === 'down') },
  ])
  const monthOf = ({ settledAt }: Order) => businessDay(settledAt ?? 0, zone).slice(0, 7)
  expect(body.byMonth.map(({ shares, ...row }) => [row, shares !== null])).toEqual([
    [{ month: '2026-02', ...of((order) => monthOf(order) === '2026-02') }, false],
    [{ month: '2026-01', ...of((order) => monthOf(order) === '2026-01') }, true],
  ])
})

it('have the sum as it grew with each order, in the order of settlement', async () => {
  const orders = (await closedOrders()).reverse()
  const { curve, total } = await results()
  expect(curve).toEqual(
    orders.map(({ settledAt }, index) => ({
      orders: index + 1,
      at: settledAt,
      pnl: totalsOf(orders.slice(0, index + 1)).pnl,
    })),
  )
  expect(curve.at(-1)).toMatchObject({ orders: total.orders, pnl: total.pnl })
})

it('have a curve of at most a hundred points, which ends with the newest order', async () => {
  const many = await venue.createMember()
  const count = 103
  for (let i = 0; i < count; i++)
    await placeOrder(venue, many, { direction: i % 3 === 0 ? 'down' : 'up', amount: '1.00' })
  await settle(true)
  const { curve, total } = (await many.get<OwnResults>('/me/results')).body
  expect(total.orders).toBe(count)
  // Every second one, counted from the end.
  expect(curve.map(({ orders }) => orders)).toEqual(Array.from({ length: 52 }, (_, i) => 1 + 2 * i))
  expect(curve.at(-1)?.pnl).toBe(total.pnl)
})

it('are of a period if it is asked for, both ends included', async () => {
  const orders = await closedOrders()
  const [newest] = orders
  const period = `?from=${newest?.settledAt}&to=${newest?.settledAt}`
  const body = await results(period)
  expect(body.total).toMatchObject(
    totalsOf(orders.filter(({ settledAt }) => settledAt === newest?.settledAt)),
  )
  expect(body.total.orders).toBe(1)
  expect((await results(`?from=${(newest?.settledAt ?? 0) + 1}`)).total.orders).toBe(0)
})

it('of a month are by day of the venue’s zone', async () => {
  const orders = await closedOrders()
  const dayOf = ({ settledAt }: Order) => businessDay(settledAt ?? 0, zone)
  const days = async (month: string) => (await member.get<ResultDays>(`/me/results/days?month=${month}`)).body
  const onDay = (on: string) => ({ on, ...totalsOf(orders.filter((order) => dayOf(order) === on)) })
  const january = await days('2026-01')
  expect(resultRoutes.resultDays.answer.safeParse(january).success).toBe(true)
  expect(january).toEqual({ month: '2026-01', firstMonth: '2026-01', days: [onDay('2026-01-31')] })
  expect(await days('2026-02')).toMatchObject({ days: [onDay('2026-02-01')] })
  expect(await days('2026-03')).toMatchObject({ firstMonth: '2026-01', days: [] })
  expect(await member.get('/me/results/days?month=2026-13')).toMatchObject({ status: 400 })
})

it('are the member’s own', async () => {
  const other = await venue.createMember()
  expect((await other.get<OwnResults>('/me/results')).body.total.orders).toBe(0)
  expect((await other.get<ResultDays>('/me/results/days?month=2026-01')).body).toEqual({
    month: '2026-01',
    firstMonth: null,
    days: [],
  })
})
