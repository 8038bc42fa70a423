import { eq } from 'drizzle-orm'
import { beforeEach, afterEach, describe, expect, it } from 'vitest'
import { minor } from '../../../../contract/units.ts'
import {
  statusDays,
  statusGapsMax,
  statusRoutes,
  type ProductReport,
  type StatusReport,
} from '../../../../contract/status.ts'
import { dayMs } from '../../../../contract/time.ts'
import type { Database } from '../../../../server/platform/db/open.ts'
import { outcomeTally } from '../../../../server/trading/schema.ts'
import { call } from '../../../support/apiCalls.ts'
import { testProduct } from '../../../support/fakeMarket.ts'
import { manualClock } from '../../../support/manualClock.ts'
import { placeOrder, runMarket, tickOnce } from '../../../support/orders.ts'
import { withPostgres } from '../../../support/postgres.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'
import { withDatabase, withVenue } from '../../../support/withVenue.ts'

const postgres = await withPostgres('public_status')

const memory = await withDatabase()

describe('GET /api/status with the embedded database', () => statusTests(() => memory))
postgres.describe('GET /api/status with PostgreSQL', () => statusTests(postgres.database))

function statusTests(database: () => Database): void {
  /** Every test has a month of its own: the tallies of a database are never deleted. */
  let start = Date.UTC(2026, 0, 5, 22)
  let venue: TestVenue

  beforeEach(async () => {
    start += 100 * dayMs
    venue = await openTestVenue(database(), { clock: manualClock(start) })
    await venue.clock.advance(1)
    tickOnce(venue)
  })
  afterEach(async () => {
    await venue.close()
    expect(venue.reportedErrors).toEqual([])
  })

  const report = async (): Promise<StatusReport> => {
    // Longer than a report is kept.
    await venue.clock.jumpBy(10_000)
    const { status, body } = await call(venue.app, 'GET', '/status')
    expect(status).toBe(200)
    expect(statusRoutes.status.answer.parse(body)).toEqual(body)
    return body as StatusReport
  }
  const productReport = async (): Promise<ProductReport> => (await report()).products[0]!
  const dayOf = (at: number): number => Math.floor(at / dayMs)
  const tally = (counts: Partial<typeof outcomeTally.$inferInsert>, at = start): Promise<unknown> =>
    venue.db.insert(outcomeTally).values({
      productId: testProduct.id,
      day: dayOf(at),
      won: 0,
      lost: 0,
      tied: 0,
      refunded: 0,
      rateSum: 0,
      ...counts,
    })
  const tallied = () =>
    venue.db
      .select()
      .from(outcomeTally)
      .where(eq(outcomeTally.day, dayOf(start)))

  it('says where the prices come from, the newest head, and that the product takes orders', async () => {
    const { site, products, from, at, log } = await report()
    expect(site).toEqual({ status: 'up', opensAt: null })
    expect({ from, at }).toEqual({
      from: (dayOf(start) - statusDays + 1) * dayMs,
      at: venue.clock.now(),
    })
    expect(products).toEqual([
      {
        id: testProduct.id,
        code: testProduct.code,
        names: testProduct.names,
        state: 'open',
        opensAt: null,
        head: venue.market.head(testProduct.id),
        sources: [{ ...venue.market.sources(testProduct.id)[0], refundedOrders: 0 }],
        gapCount: 0,
        gapMs: 0,
        gaps: [],
        refundedOrders: 0,
        outcomes: null,
      },
    ])
    expect(log).toMatchObject({ at: expect.any(Number), witnesses: [] })
    expect(log?.name).toMatch(/\/log\//)
  })

  it('counts each settled order once, by its outcome', async () => {
    const { clock, market, secrets } = venue
    const second = await withVenue({ database: database(), clock, market, secrets })
    const member = await venue.createMember(minor(100_000))
    await placeOrder(venue, member, { direction: 'up' })
    await placeOrder(venue, member, { direction: 'up', seconds: 60 })
    await placeOrder(venue, member, { direction: 'down' })
    await runMarket(venue, 1000)
    await runMarket(venue, 61_000, () => 10_100)
    await placeOrder(venue, member)
    await runMarket(venue, 31_000, () => 10_100)
    await placeOrder(venue, member)
    await runMarket(venue, 1000)
    await clock.advance(29_500)
    market.recordGap()
    await runMarket(venue, 2000)
    await second.trading.idle()
    const counts = { won: 2, lost: 1, tied: 1, refunded: 1, rateSum: 8000 + 8500 + 8000 }
    expect(await tallied()).toEqual([{ productId: testProduct.id, day: dayOf(start), ...counts }])
    expect((await productReport()).refundedOrders).toBe(1)
  })

  it('publishes nothing of fewer than a hundred orders, and shares that add up from there on', async () => {
    await tally({ won: 30, lost: 41, tied: 11, refunded: 17, rateSum: 71 * 8500 })
    expect((await productReport()).outcomes).toBeNull()
    await tally({ won: 1, rateSum: 8000 }, start - dayMs)
    const { outcomes } = await productReport()
    expect(outcomes).toEqual({
      orders: 100,
      wonBp: 3100,
      lostBp: 4100,
      tiedBp: 1100,
      refundedBp: 1700,
      // 31 of 72; 1 / (1 + (71 × 0.85 + 0.8) / 72)
      decided: { wonBp: 4306, breakEvenBp: 5407 },
    })
    await tally({ won: 1, lost: 1, tied: 1, rateSum: 16_000 }, start - 2 * dayMs)
    const more = (await productReport()).outcomes!
    expect(more.wonBp + more.lostBp + more.tiedBp + more.refundedBp).toBe(10_000)
    await tally({ refunded: 897 }, start - 3 * dayMs)
    const most = (await productReport()).outcomes!
    expect(most).toMatchObject({ orders: 1000, wonBp: 320, refundedBp: 9140 })
  })

  it('has no share of won orders where none was won or lost', async () => {
    await tally({ tied: 60, refunded: 40 })
    expect((await productReport()).outcomes).toMatchObject({ tiedBp: 6000, decided: null })
  })

  it('covers the current day and the 29 before it', async () => {
    await tally({ won: 100, rateSum: 800_000 }, start - (statusDays - 1) * dayMs)
    await tally({ lost: 500, rateSum: 4_000_000 }, start - statusDays * dayMs)
    expect((await productReport()).outcomes).toMatchObject({ orders: 100, wonBp: 10_000 })
    await venue.clock.jumpBy(2 * 3_600_000)
    expect((await productReport()).outcomes).toBeNull()
  })

  it('lists gaps with the orders that they refunded, as long as they reach into the days covered', async () => {
    const member = await venue.createMember(minor(100_000))
    await placeOrder(venue, member)
    await runMarket(venue, 1000)
    const from = venue.market.watermark(testProduct.id)
    await venue.clock.advance(40_000)
    venue.market.recordGap()
    await runMarket(venue, 2000)
    const to = from + 40_000
    const gap = { from, to, refundedOrders: 1 }
    expect(await productReport()).toMatchObject({
      gapCount: 1,
      gapMs: 40_000,
      gaps: [gap],
      refundedOrders: 1,
    })
    const others = Array.from({ length: statusGapsMax }, () =>
      venue.clock.jumpBy(1).then(() => venue.market.recordGap()),
    )
    await Promise.all(others)
    const many = await productReport()
    expect(many).toMatchObject({ gapCount: statusGapsMax + 1, refundedOrders: 1 })
    expect(many.gaps).toHaveLength(statusGapsMax)
    expect(many.gaps).not.toContainEqual(gap)
    // The last evening of the 30 days.
    await venue.clock.jumpBy(statusDays * dayMs - (venue.clock.now() % dayMs) - 20_000)
    expect(await productReport()).toMatchObject({ gapCount: statusGapsMax + 1 })
    await venue.clock.jumpBy(20_000)
    expect(await productReport()).toMatchObject({ gapCount: 0, gapMs: 0, gaps: [], refundedOrders: 0 })
  })

  it('lists the sources of the days covered, with the orders that a change refunded', async () => {
    const sinceAt = venue.market.watermark(testProduct.id)
    venue.market.changeSource('other')
    expect((await productReport()).sources).toMatchObject([
      { fingerprint: 'test' },
      { fingerprint: 'other', sinceAt, refundedOrders: 0 },
    ])
    await venue.clock.jumpBy(statusDays * dayMs)
    expect((await productReport()).sources).toMatchObject([{ fingerprint: 'other', sinceAt }])
  })

  it('shows a product that takes no orders, and why', async () => {
    const stateNow = async () => {
      const { state, opensAt } = await productReport()
      return { state, opensAt }
    }
    const opensAt = venue.clock.now() + 3_600_000
    venue.market.setStatus('stale')
    expect(await stateNow()).toEqual({ state: 'paused', opensAt: null })
    venue.market.setStatus('live')
    tickOnce(venue)
    expect(await stateNow()).toEqual({ state: 'open', opensAt: null })
    venue.market.setTradingHours({ status: 'closed', opensAt, closesAt: null })
    expect(await stateNow()).toEqual({ state: 'closed', opensAt })
    venue.market.setTradingHours({ status: 'maintenance', opensAt: null, closesAt: null })
    expect(await stateNow()).toEqual({ state: 'maintenance', opensAt: null })
    await venue.office('POST', '/site/maintenance', { body: {} })
    expect((await report()).site).toMatchObject({ status: 'maintenance' })
    await venue.office('POST', '/site/open')
  })

  it('is made once for all who ask within ten seconds', async () => {
    const first = await report()
    await tally({ won: 100, rateSum: 800_000 })
    venue.market.recordGap()
    const bodies = Array.from({ length: 5 }, () => call(venue.app, 'GET', '/status'))
    for (const { body } of await Promise.all(bodies)) expect(body).toEqual(first)
    expect((await report()).products[0]).toMatchObject({ gapCount: 1, outcomes: { orders: 100 } })
  })

  it('keeps tallies from being changed', async () => {
    const { pool } = database()
    await tally({ won: 5, lost: 2, rateSum: 9000 })
    for (const change of [
      'UPDATE outcome_tally SET won = won - 1, lost = lost + 1',
      'UPDATE outcome_tally SET day = day + 1000',
      'DELETE FROM outcome_tally',
    ]) {
      await expect(pool.query(change)).rejects.toThrow()
    }
  })
}
