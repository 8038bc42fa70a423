import { describe, expect, it } from 'vitest'
import { minor } from '../../../../contract/units.ts'
import type { Order } from '../../../../contract/orders.ts'
import type { Assets, LedgerEntry } from '../../../../contract/ledger.ts'
import { withDatabase } from '../../../support/withVenue.ts'
import { fakeMarket, testProduct } from '../../../support/fakeMarket.ts'
import { fetchOrder, placeOrder, tickOnce, runMarket, asListed } from '../../../support/orders.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'

let venue: TestVenue
const database = await withDatabase()

/** Each test has its own venue, because the tests are about time and gaps. */
async function openStartedVenue(): Promise<TestVenue> {
  venue = await openTestVenue(database)
  await venue.clock.advance(1)
  tickOnce(venue)
  return venue
}
async function stopVenue(): Promise<void> {
  await venue.close()
  expect(venue.reportedErrors).toEqual([])
}

/** The same venue after a restart: same database, clock, market and secret. */
async function restart(whileDown: () => Promise<unknown>): Promise<void> {
  await venue.close()
  const { clock, market, secrets, reportedErrors } = venue
  expect(reportedErrors).toEqual([])
  await whileDown()
  venue = await openTestVenue(database, { clock, market, secrets })
  await venue.trading.idle()
}

const at = async (offset: number, price: number | null): Promise<void> => {
  await venue.clock.advanceTo(offset)
  if (price !== null) venue.market.tick(offset, price)
  venue.market.flush()
  await venue.trading.idle()
}

describe('an order', () => {
  it('is accepted, opens at its first tick, settles at its close, and is paid out if it won', async () => {
    await openStartedVenue()
    const member = await venue.createMember(minor(10_000))
    const order = await placeOrder(venue, member, { amount: '10.01' })
    const { acceptedAt: t0, closeAt } = order
    await at(t0 + 40, 10_100)
    const open = await fetchOrder(member, order.id)
    expect(open).toMatchObject({
      status: 'open',
      version: 2,
      entry: { seq: 2, at: t0 + 40, price: '101.00' },
      exit: null,
    })
    await at(closeAt - 500, 10_200)
    await venue.clock.advanceTo(closeAt)
    expect(await fetchOrder(member, order.id)).toMatchObject({ status: 'settling', version: 2 })
    venue.market.flush()
    await venue.trading.idle()
    const won = await fetchOrder(member, order.id)
    expect(won).toMatchObject({
      status: 'won',
      version: 3,
      payout: '18.01',
      pnl: '8.00',
      reason: null,
      settledAt: closeAt,
      exit: { seq: 3, at: closeAt - 500, price: '102.00' },
    })
    expect(venue.bus.eventsFor<Order>(member.id, 'order').map(asListed)).toEqual([order, open, won])
    const assets = (await member.get<Assets>('/me/assets')).body
    expect(assets).toEqual({
      total: '108.00',
      available: '108.00',
      held: '0.00',
      openStakes: '0.00',
      fund: '0.00',
      accountPnl: '8.00',
      todayPnl: '8.00',
      version: 3,
    })
    expect(venue.bus.eventsFor<Assets>(member.id, 'assets').at(-1)).toEqual(assets)
    const [entry] = (await member.get<{ items: LedgerEntry[] }>('/me/ledger')).body.items
    expect(entry).toEqual({
      id: '3',
      at: closeAt,
      type: 'payout',
      amount: '18.01',
      balanceAfter: '108.00',
      held: '0.00',
      fund: '0.00',
      ref: { kind: 'order', id: order.id, no: order.no, productId: order.productId },
    })
    expect(venue.bus.eventsFor<LedgerEntry>(member.id, 'ledger').at(-1)).toEqual(entry)
    await stopVenue()
  })

  type Case = [string, (t0: number, close: number) => [number, number][], Partial<Order>]
  const cases: Case[] = [
    [
      'the price moved against the direction',
      (t0, c) => [
        [t0 + 1, 10_000],
        [c - 1, 9_999],
      ],
      { status: 'lost', payout: '0.00', pnl: '-10.00' },
    ],
    [
      'the price is equal',
      (t0, c) => [
        [t0 + 1, 10_000],
        [c - 1, 10_000],
      ],
      { status: 'tied', payout: '10.00', pnl: '0.00' },
    ],
    [
      'a tick exactly at the close counts',
      (t0, c) => [
        [t0 + 1, 10_000],
        [c - 5, 9_000],
        [c, 10_001],
      ],
      { status: 'won', payout: '18.00' },
    ],
    [
      'a tick 1 ms after the close does not count',
      (t0, c) => [
        [t0 + 1, 10_000],
        [c - 5, 9_000],
        [c + 1, 10_001],
      ],
      { status: 'lost' },
    ],
    [
      'a tick at the acceptance is not an entry',
      (t0, c) => [
        [t0, 1],
        [t0 + 1, 10_000],
        [c, 10_001],
      ],
      { status: 'won' },
    ],
    [
      'an entry at the last instant counts',
      (t0, c) => [
        [t0 + 10_000, 10_000],
        [c, 10_001],
      ],
      { status: 'won' },
    ],
    [
      'an entry after the limit does not count',
      (t0, c) => [
        [t0 + 10_001, 10_000],
        [c, 10_001],
      ],
      { status: 'refunded', reason: 'NO_ENTRY', payout: '10.00', pnl: '0.00', entry: null, exit: null },
    ],
    ['there is no tick', () => [], { status: 'refunded', reason: 'NO_ENTRY' }],
    [
      'there is only one tick',
      (t0) => [[t0 + 1, 10_000]],
      { status: 'refunded', reason: 'ONE_TICK', payout: '10.00' },
    ],
    [
      'the exit is as old as allowed',
      (t0, c) => [
        [t0 + 1, 10_000],
        [c - 15_000, 10_001],
      ],
      { status: 'won' },
    ],
    [
      'the exit is older than allowed',
      (t0, c) => [
        [t0 + 1, 10_000],
        [c - 15_001, 10_001],
      ],
      { status: 'refunded', reason: 'STALE_EXIT' },
    ],
  ]
  it.each(cases)('settles by the rule: %s', async (_name, ticks, expected) => {
    await openStartedVenue()
    const member = await venue.createMember()
    const { id, acceptedAt, closeAt } = await placeOrder(venue, member)
    for (const [instant, price] of ticks(acceptedAt, closeAt)) await at(instant, price)
    await at(closeAt + 1, null)
    expect(await fetchOrder(member, id)).toMatchObject(expected)
    expect(venue.market.watermark(testProduct.id)).toBe(closeAt + 1)
    await stopVenue()
  })

  it('keeps its terms if the product changes or goes into maintenance', async () => {
    await openStartedVenue()
    const member = await venue.createMember()
    const order = await placeOrder(venue, member)
    await at(order.acceptedAt + 1, 10_000)
    venue.market.changeSettings({
      durations: [{ seconds: 30, rateBp: 1, min: '1.00', max: '2.00' }],
      maxTickGapMs: 1,
      entryTimeoutMs: 1,
    })
    await venue.market.setMaintenance(testProduct.id, true, null)
    await at(order.closeAt - 15_000, 10_001)
    await at(order.closeAt, null)
    expect(await fetchOrder(member, order.id)).toMatchObject({
      status: 'won',
      payout: '18.00',
      terms: order.terms,
    })
    await stopVenue()
  })

  it('waits for the watermark until 300 s after the close', async () => {
    await openStartedVenue()
    const member = await venue.createMember()
    const order = await placeOrder(venue, member)
    await at(order.acceptedAt + 1, 10_000)
    await at(order.acceptedAt + 2, 10_001)
    await venue.clock.advanceTo(order.closeAt + 299_999)
    expect((await fetchOrder(member, order.id)).status).toBe('settling')
    await venue.clock.advance(1)
    expect(await fetchOrder(member, order.id)).toMatchObject({
      status: 'refunded',
      reason: 'FEED_DOWN',
      settledAt: order.closeAt + 300_000,
    })
    await stopVenue()
  })

  it('finds an entry that was committed while the order was being written', async () => {
    await openStartedVenue()
    const member = await venue.createMember()
    const { pool } = database
    const original = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>
    // The market commits two ticks while the statement is in flight.
    const queryWithTicks = async (...args: unknown[]): Promise<unknown> => {
      const answer = await original(...args)
      if ((args[0] as { name?: string }).name !== 'place orders') return answer
      await venue.clock.advance(10)
      venue.market.tick(venue.clock.now() - 5, 10_500)
      venue.market.tick(venue.clock.now(), 10_600)
      venue.market.flush()
      return answer
    }
    Object.assign(pool, { query: queryWithTicks })
    const order = await placeOrder(venue, member)
    Object.assign(pool, { query: original })
    await venue.trading.idle()
    expect(await fetchOrder(member, order.id)).toMatchObject({
      status: 'open',
      entry: { at: order.acceptedAt + 5, price: '105.00' },
    })
    await stopVenue()
  })

  it('is settled once among hundreds that close together', async () => {
    await openStartedVenue()
    const members = await Promise.all(Array.from({ length: 10 }, () => venue.createMember()))
    await Promise.all(
      members.flatMap((member) => Array.from({ length: 52 }, () => placeOrder(venue, member))),
    )
    await runMarket(venue, 31_000, (now) => now % 7919)
    for (const member of members) {
      const settled = venue.bus
        .eventsFor<Order>(member.id, 'order')
        .filter((order) => order.settledAt !== null)
      expect(new Set(settled.map((order) => order.id)).size).toBe(52)
      expect(settled).toHaveLength(52)
      const assets = await venue.ledger.assets(member.id)
      const pnl = settled.reduce((sum, order) => sum + Number(order.pnl), 0)
      expect([assets.openStakes, Number(assets.accountPnl)]).toEqual(['0.00', pnl])
      expect(venue.bus.eventsFor<Assets>(member.id, 'assets').at(-1)).toEqual(assets)
    }
    await stopVenue()
  })
})

describe('an outage of the venue', () => {
  const stored = async ({ id }: Order): Promise<{ status: string; reason: string | null }> =>
    (await database.pool.query('SELECT status, reason FROM orders WHERE id = $1', [id])).rows[0]

  /** Orders placed some seconds before the venue stops; a new one starts on the same database after `downMs`. */
  async function outage(downMs: number, ages: readonly number[]) {
    await openStartedVenue()
    const member = await venue.createMember()
    const orders: Order[] = []
    for (const [i, age] of ages.entries()) {
      orders.push(await placeOrder(venue, member, { direction: 'up' }))
      await runMarket(venue, age - (ages[i + 1] ?? 0), (now) => (now % 600_000) + 10_000)
    }
    await restart(async () => {
      await venue.clock.advance(downMs)
      venue.market.recordGap()
    })
    await runMarket(venue, 40_000, (now) => (now % 600_000) + 10_000)
    const rows = await Promise.all(orders.map(stored))
    const assets = await venue.ledger.assets(member.id)
    await stopVenue()
    return { rows: rows.map(({ status, reason }) => reason ?? status), assets }
  }

  it('of 1 s between entry and close refunds nothing', async () => {
    const { rows, assets } = await outage(
      1000,
      [25, 20, 5].map((s) => s * 1000),
    )
    expect(rows).toEqual(['won', 'won', 'won'])
    expect(assets).toMatchObject({ openStakes: '0.00', accountPnl: '24.00' })
  })

  it('of 60 s refunds orders that close in the gap', async () => {
    const { rows, assets } = await outage(
      60_000,
      [25, 20, 5].map((s) => s * 1000),
    )
    expect(rows).toEqual(['FEED_DOWN', 'FEED_DOWN', 'FEED_DOWN'])
    expect(assets).toMatchObject({ total: '10000.00', available: '10000.00', accountPnl: '0.00' })
  })

  it('of 1 h refunds orders that close in the gap, and settles earlier ones from the log', async () => {
    const { rows } = await outage(
      3_600_000,
      [45, 31, 29, 1].map((s) => s * 1000),
    )
    expect(rows).toEqual(['won', 'won', 'FEED_DOWN', 'FEED_DOWN'])
  })

  it('refunds an order with its entry in the gap, and keeps an entry before the gap', async () => {
    await openStartedVenue()
    const member = await venue.createMember()
    const early = await placeOrder(venue, member)
    await runMarket(venue, 1000)
    const late = await placeOrder(venue, member)
    await restart(async () => {
      await venue.clock.advance(2000)
      venue.market.recordGap()
    })
    await runMarket(venue, 31_000, () => 10_001)
    expect(await stored(early)).toEqual({ status: 'won', reason: null })
    expect(await stored(late)).toEqual({ status: 'refunded', reason: 'FEED_DOWN' })
    await stopVenue()
  })

  it('is followed by the settlement of orders that were due before it and not yet settled', async () => {
    await openStartedVenue()
    const member = await venue.createMember()
    const order = await placeOrder(venue, member)
    await at(order.acceptedAt + 1, 10_000)
    await at(order.closeAt - 1, 10_001)
    await restart(async () => {
      await at(order.closeAt, 10_002)
      await venue.clock.advance(5000)
      venue.market.recordGap()
    })
    const { rows } = await database.pool.query('SELECT status, exit_price FROM orders WHERE id = $1', [
      order.id,
    ])
    expect(rows).toEqual([{ status: 'won', exit_price: 10_002 }])
    await stopVenue()
  })

  it('is not followed by a start without a product that has open orders', async () => {
    await openStartedVenue()
    const member = await venue.createMember()
    const order = await placeOrder(venue, member)
    const { clock } = venue
    await restart(async () => {
      const other = fakeMarket(clock, [{ ...testProduct, id: 'OTHER' }])
      await expect(openTestVenue(database, { clock, market: other })).rejects.toThrow(/open orders: TEST$/)
    })
    await at(order.closeAt, null)
    expect(await stored(order)).toEqual({ status: 'refunded', reason: 'NO_ENTRY' })
    await stopVenue()
  })
})
