import { asc } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { wireExitOf } from '../../../../contract/fills.ts'
import { minor, priceUnits } from '../../../../contract/units.ts'
import { moneyOf } from '../../../../contract/money.ts'
import { proof as proofSchema } from '../../../../contract/orders.ts'
import { parsePrice } from '../../../../contract/price.ts'
import type { Assets } from '../../../../contract/ledger.ts'
import { settle } from '../../../../contract/settle.ts'
import type { Database } from '../../../../server/platform/db/open.ts'
import { orders } from '../../../../server/trading/schema.ts'
import { refundTally } from '../../../../server/market/schema.ts'
import { createRefundReader } from '../../../../server/market/read/refunds.ts'
import { testProduct } from '../../../support/fakeMarket.ts'
import { fetchOrder, placeOrder, tickOnce, runMarket } from '../../../support/orders.ts'
import { withPostgres } from '../../../support/postgres.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import type { TestVenue } from '../../../support/testVenue.ts'
import { withDatabase, withVenue } from '../../../support/withVenue.ts'

const postgres = await withPostgres('source_change')

const memory = await withDatabase()

async function openStartedVenue(database: Database): Promise<TestVenue> {
  const venue = await withVenue({ database })
  await venue.clock.advance(1)
  tickOnce(venue)
  return venue
}

async function stop(venue: TestVenue): Promise<void> {
  await venue.close()
  expect(venue.reportedErrors).toEqual([])
}

const clientOf = (venue: TestVenue, member: MemberClient): MemberClient => venue.clientOf(member)

describe('a change of source with the embedded database', () => sourceChangeTests(() => memory))
postgres.describe('a change of source with PostgreSQL', () => sourceChangeTests(postgres.database))

function sourceChangeTests(database: () => Database): void {
  it('returns the stakes of open orders at the start', async () => {
    const before = await openStartedVenue(database())
    const member = await before.createMember(minor(100_000))
    const up = await placeOrder(before, member, { direction: 'up' })
    const down = await placeOrder(before, member, { direction: 'down', amount: '20.00' })
    expect(up.terms.source).toBe('test')
    await before.clock.advance(1000)
    before.market.tick(before.clock.now(), 10_000)
    before.market.flush()
    await before.trading.idle()
    await before.clock.advance(1000)
    before.market.tick(before.clock.now(), 10_100)
    before.market.flush()
    const waiting = await placeOrder(before, member, { amount: '40.00' })
    await stop(before)

    const sinceAt = before.market.watermark(testProduct.id)
    before.market.changeSource('other')
    await before.clock.advance(5000)
    before.market.recordGap()
    const { clock, market, secrets } = before
    const venue = await withVenue({ database: database(), clock, market, secrets })
    await venue.trading.idle()
    const guest = clientOf(venue, member)
    const ended = [up, down, waiting].map(({ id }) => fetchOrder(guest, id))
    const refund = { status: 'refunded', reason: 'SOURCE_CHANGED', pnl: '0.00' }
    const stood = { entry: { price: '100.00' }, exit: { price: '101.00' } }
    expect(await Promise.all(ended)).toMatchObject([
      { ...refund, payout: '10.00', ...stood },
      { ...refund, payout: '20.00', ...stood },
      { ...refund, payout: '40.00', entry: null, exit: null },
    ])
    const refunds = await createRefundReader(venue.db, clock).between(
      testProduct.id,
      'source',
      sinceAt,
      sinceAt,
    )
    expect(refunds.get(sinceAt)).toEqual({
      refundedOrders: 3,
      stood: { ahead: 1, behind: 1, level: 1, pnl: '-12.00' },
    })
    expect((await guest.get<Assets>('/me/assets')).body).toMatchObject({
      available: '1000.00',
      openStakes: '0.00',
    })

    // Later ticks of the other source do not change published results.
    tickOnce(venue, 5000)
    const own = await placeOrder(venue, guest, { direction: 'down' })
    expect(own.terms.source).toBe('other')
    await runMarket(venue, 40_000, (at) => (at <= own.closeAt ? 5000 : 4000))
    for (const { id } of [up, down, waiting, own]) await verifyProof(guest, id)
    expect(await fetchOrder(guest, own.id)).toMatchObject({ status: 'tied' })
    await stop(venue)
  })

  it('settles an order with its own source if that reached the order’s close', async () => {
    const before = await openStartedVenue(database())
    const member = await before.createMember(minor(100_000))
    const order = await placeOrder(before, member)
    for (let i = 0; i < 30; i++) {
      await before.clock.advance(1000)
      before.market.tick(before.clock.now(), 10_000 + i)
    }
    await before.trading.stop()
    before.market.flush(order.closeAt)
    await before.close()
    before.market.changeSource('other')
    await before.clock.advance(5000)
    before.market.recordGap()
    const { clock, market, secrets } = before
    const venue = await withVenue({ database: database(), clock, market, secrets })
    await venue.trading.idle()
    expect(await fetchOrder(clientOf(venue, member), order.id)).toMatchObject({
      status: 'won',
      payout: '18.00',
    })
    await stop(venue)
  })

  it('counts the refunds of a gap once if two processes settle its orders', async () => {
    const venue = await openStartedVenue(database())
    const { clock, market, secrets } = venue
    const second = await withVenue({ database: database(), clock, market, secrets })
    const member = await venue.createMember(minor(1_000_000))
    const times = 12
    for (let i = 0; i < times; i++) {
      await placeOrder(venue, member, { direction: i % 3 === 0 ? 'down' : 'up', amount: '10.00' })
      await runMarket(venue, 1000, (at) => 10_000 + (at % 7))
    }
    const from = market.watermark(testProduct.id)
    // They close one after the other, during the gap.
    await clock.advance(29_500)
    market.recordGap()
    await Promise.all([venue.trading.idle(), second.trading.idle()])
    await runMarket(venue, 15_000)
    await second.trading.idle()
    const rows = (await venue.db.select().from(orders)).filter((row) => row.memberId === member.id)
    const refunded = rows.filter((row) => row.reason === 'FEED_DOWN')
    expect(refunded.length).toBeGreaterThan(2)
    const pnls = refunded.map(({ direction, amount, rateBp, entryPrice, exitPrice }) => {
      const move = (exitPrice! - entryPrice!) * (direction === 'up' ? 1 : -1)
      return move > 0 ? Math.floor((amount * rateBp) / 10_000) : move < 0 ? 0 - amount : 0
    })
    const [tally] = await venue.db.select().from(refundTally).orderBy(asc(refundTally.at))
    const tallies = await venue.db.select().from(refundTally)
    expect(tallies.filter((row) => row.at === from)).toEqual([
      {
        productId: testProduct.id,
        cause: 'gap',
        at: from,
        ahead: pnls.filter((pnl) => pnl > 0).length,
        behind: pnls.filter((pnl) => pnl < 0).length,
        level: pnls.filter((pnl) => pnl === 0).length,
        pnl: pnls.reduce((sum, pnl) => sum + pnl, 0),
      },
    ])
    const update = `UPDATE refund_tally SET ahead = ahead - 1, level = level + 1 WHERE at = ${tally?.at}`
    await expect(database().pool.query(update)).rejects.toThrow('only added to')
    await expect(database().pool.query('DELETE FROM refund_tally')).rejects.toThrow()
    await stop(second)
    await stop(venue)
  })
}

/** Expects that rule R1 over the order's proof gives the published result. */
async function verifyProof(guest: MemberClient, id: string): Promise<void> {
  const { order, ticks, gaps, source, sources } = proofSchema.parse(
    (await guest.get(`/orders/${id}/proof`)).body,
  )
  expect(source).toBe(order.terms.source)
  const units = ticks.map(([seq, at, price]) => ({ seq, at, price: parsePrice(price, 2) ?? priceUnits(0) }))
  const settled = settle(order.terms, { ...order, amount: moneyOf(order.amount) }, units, gaps, sources)
  const published = [order.status, order.reason, order.entry?.seq]
  expect([settled.status, settled.reason, settled.entry?.seq]).toEqual(published)
  expect(settled.exit && wireExitOf(settled.exit, 2)).toEqual(order.exit)
}
