import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { wireExitOf } from '../../../../contract/fills.ts'
import { moneyOf } from '../../../../contract/money.ts'
import { proof as proofSchema, type Order } from '../../../../contract/orders.ts'
import { parsePrice } from '../../../../contract/price.ts'
import type { ProductDetail } from '../../../../contract/products.ts'
import { settle } from '../../../../contract/settle.ts'
import { proofRanges } from '../../../../server/trading/orders/proofRanges.ts'
import { checkProof } from '../../../../src/proof/check.ts'
import { withDatabase } from '../../../support/withVenue.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { averagedProduct, fakeMarket } from '../../../support/fakeMarket.ts'
import { manualClock } from '../../../support/manualClock.ts'
import { fetchOrder, placeOrder, tickOnce, asListed } from '../../../support/orders.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'

let venue: TestVenue
let member: MemberClient
const database = await withDatabase()
beforeEach(async () => {
  const clock = manualClock()
  venue = await openTestVenue(database, { clock, market: fakeMarket(clock, [averagedProduct]) })
  await venue.clock.advance(1)
  tickOnce(venue)
  member = await venue.createMember()
})
afterEach(async () => {
  await venue.close()
  expect(venue.reportedErrors).toEqual([])
})

/** Ticks at these instants, with a flush at each. */
async function ticks(...list: (readonly [at: number, price: number])[]): Promise<void> {
  for (const [at, price] of list) {
    await venue.clock.advanceTo(at)
    venue.market.tick(at, price)
    venue.market.flush()
    await venue.trading.idle()
  }
}

async function close({ closeAt }: Order): Promise<void> {
  await venue.clock.advanceTo(closeAt)
  venue.market.flush()
  await venue.trading.idle()
}

/** Five ticks in the window: 100.90 and 90.00 are cut, the mean of the others is 100.10. */
const windowTicks = (closeAt: number): [number, number][] =>
  [10_090, 10_010, 9000, 10_000, 10_020].map((price, i) => [closeAt - 9000 + i * 2000, price])

describe('an order with rule R2', () => {
  it('keeps the terms of its product, and a product says what they are', async () => {
    const order = await placeOrder(venue, member)
    const { settlement, priceDecimals, entryTimeoutMs, maxTickGapMs } = averagedProduct
    expect(order.terms).toEqual({
      ...settlement,
      priceDecimals,
      entryTimeoutMs,
      maxTickGapMs,
      rateBp: order.rateBp,
      source: 'test',
    })
    const { body } = await member.get<ProductDetail>('/products/TEST')
    expect(body).toMatchObject(settlement)
    venue.market.changeSettings({ settlement: { rule: 'R1' } })
    expect((await fetchOrder(member, order.id)).terms).toEqual(order.terms)
  })

  it('enters after its delay, and is settled at the mean of its window', async () => {
    const order = await placeOrder(venue, member)
    const { acceptedAt, closeAt } = order
    await ticks([acceptedAt + 500, 9990])
    expect((await fetchOrder(member, order.id)).status).toBe('accepted')
    await ticks([acceptedAt + 501, 10_000])
    const open = await fetchOrder(member, order.id)
    expect(open).toMatchObject({ status: 'open', entry: { seq: 3, price: '100.00' }, exit: null })
    await ticks(...windowTicks(closeAt))
    expect((await fetchOrder(member, order.id)).status).toBe('open')
    await close(order)
    const won = await fetchOrder(member, order.id)
    expect(won).toMatchObject({
      status: 'won',
      payout: '18.00',
      exit: { value: '100.100', ticks: 3, from: 4, to: 8 },
      reason: null,
    })
    expect(venue.bus.eventsFor<Order>(member.id, 'order').map(asListed)).toEqual([order, open, won])
    const [header, row] = (await member.get('/orders.csv')).text.split('\r\n').map((line) => line.split(','))
    const cell = (name: string) => row![header!.indexOf(`"${name}"`)]
    expect([cell('exitPrice'), cell('exitValue'), cell('termsExitWindowMs')]).toEqual([
      '""',
      '"100.100"',
      '"10000"',
    ])
  })

  it('is decided by less than its exit is shown with', async () => {
    const order = await placeOrder(venue, member, { direction: 'down' })
    const { acceptedAt, closeAt } = order
    const close10 = [...Array.from({ length: 33 }, () => 10_000), 10_001]
    await ticks([acceptedAt + 600, 10_000], [closeAt - 9500, 1], [closeAt - 9400, 10_001])
    await ticks(...close10.map((price, i): [number, number] => [closeAt - 9000 + i, price]))
    await close(order)
    // 36 ticks, 7 cut at each end: 22 at the entry's price.
    expect(await fetchOrder(member, order.id)).toMatchObject({
      status: 'tied',
      exit: { value: '100.000', ticks: 22 },
    })
  })

  type Refund = [string, (order: Order) => Promise<void>, Partial<Order>]
  const refunds: Refund[] = [
    ['no tick came in time for an entry', (order) => ticks([order.acceptedAt + 10_501, 1]), { entry: null }],
    ['no tick came after the entry', (order) => ticks([order.acceptedAt + 600, 1]), { exit: null }],
    [
      'the ticks after the entry are too old',
      (order) => ticks([order.acceptedAt + 600, 1], [order.acceptedAt + 14_999, 2]),
      { exit: null },
    ],
    [
      'the feed was down in the window',
      async ({ acceptedAt, closeAt }) => {
        await ticks([acceptedAt + 600, 1], [closeAt - 5000, 2])
        await venue.clock.advanceTo(closeAt - 4000)
        venue.market.recordGap()
      },
      { exit: { value: '0.020', ticks: 1, from: 3, to: 3 } },
    ],
  ]
  const reasons = ['NO_ENTRY', 'ONE_TICK', 'STALE_EXIT', 'FEED_DOWN'] as const
  it.each(refunds.map((refund, i) => [reasons[i], ...refund] as const))(
    'is refunded with %s: %s',
    async (reason, _what, run, expected) => {
      const order = await placeOrder(venue, member)
      await run(order)
      await close(order)
      expect(await fetchOrder(member, order.id)).toMatchObject({
        ...expected,
        status: 'refunded',
        reason,
        payout: '10.00',
        pnl: '0.00',
      })
    },
  )

  it('counts how it stood at the gap: by the mean of its window so far', async () => {
    const order = await placeOrder(venue, member)
    const { acceptedAt, closeAt } = order
    await ticks([acceptedAt + 600, 10_000], [closeAt - 6000, 10_020], [closeAt - 5500, 10_020])
    await ticks([closeAt - 4900, 9990])
    await venue.clock.advanceTo(closeAt - 4000)
    venue.market.recordGap()
    await close(order)
    const { rows } = await venue.db.execute(
      sql`SELECT ahead::int, behind::int, level::int, pnl::int FROM refund_tally WHERE at = ${closeAt - 4900}`,
    )
    expect(rows).toEqual([{ ahead: 1, behind: 0, level: 0, pnl: 800 }])
  })

  it('has a proof that gives the same result, from every tick between acceptance and close', async () => {
    const order = await placeOrder(venue, member)
    await ticks([order.acceptedAt + 501, 10_000], ...windowTicks(order.closeAt))
    await close(order)
    const proof = proofSchema.parse((await member.get(`/orders/${order.id}/proof`)).body)
    const { terms, amount } = proof.order
    const all = proof.ticks.map(([seq, at, text]) => ({ seq, at, price: parsePrice(text, 2)! }))
    const again = settle(terms, { ...proof.order, amount: moneyOf(amount) }, all, proof.gaps, proof.sources)
    expect(proof.rule).toBe('R2')
    expect([again.status, again.exit && wireExitOf(again.exit, 2)]).toEqual(['won', proof.order.exit])
  })

  it('has a proof from before its acceptance, so that a change of source shortly after it can be checked', async () => {
    const { clock, market, secrets } = venue
    // Later than the orders of the other tests in this database, which ranges would be merged with.
    const start = clock.now() + 3_600_000
    await ticks(
      ...[10_000, 10_010, 10_020, 10_030, 10_040].map((price, i) => [start + i * 1000, price] as const),
    )
    const { id, acceptedAt } = await placeOrder(venue, member)
    await ticks([acceptedAt + 600, 10_050], [acceptedAt + 1600, 10_060])
    await venue.close()
    market.changeSource('other')
    await clock.advance(1000)
    market.recordGap()
    venue = await openTestVenue(database, { clock, market, secrets })
    await venue.trading.idle()
    const proof = proofSchema.parse((await venue.clientOf(member).get(`/orders/${id}/proof`)).body)
    expect(proof.order).toMatchObject({ reason: 'SOURCE_CHANGED', exit: { ticks: 5 } })
    const report = await checkProof({ ...proof, seams: [] }, { agreed: null, heads: [] }, async () => {})
    expect(report).toMatchObject({ exit: { ok: true }, ok: true })
    expect(await proofRanges(venue.db, 'TEST', acceptedAt - 9999)).toContainEqual(
      expect.objectContaining({ from: acceptedAt - 10_000 }),
    )
  })

  it('settles to the same after a restart that it was open in', async () => {
    const order = await placeOrder(venue, member)
    await ticks([order.acceptedAt + 501, 10_000], ...windowTicks(order.closeAt))
    const { clock, market, secrets } = venue
    await venue.close()
    await clock.advanceTo(order.closeAt)
    market.flush()
    venue = await openTestVenue(database, { clock, market, secrets })
    await venue.trading.idle()
    const { rows } = await venue.db.execute(
      sql`SELECT status, exit_value, exit_sum, exit_ticks FROM orders WHERE id = ${order.id}`,
    )
    expect(rows).toEqual([{ status: 'won', exit_value: '100100', exit_sum: '30030', exit_ticks: 3 }])
  })
})

describe('the database', () => {
  const entry = `entry_seq = 1, entry_at = accepted_at + 501, entry_price = 100`
  const exit = (sum: number, count: number, value: number) =>
    `exit_sum = ${sum}, exit_ticks = ${count}, exit_value = ${value}, exit_from = 2, exit_to = 6`
  const won = `status = 'won', payout = 1800, settled_at = 1`
  it.each([
    ['another window', `exit_window_ms = exit_window_ms + 1`],
    [
      'an entry within the delay',
      `status = 'open', entry_seq = 1, entry_at = accepted_at + 500, entry_price = 1`,
    ],
    ['a win at the sum of the entry', `${won}, ${entry}, ${exit(300, 3, 1000)}`],
    ['a win below it', `${won}, ${entry}, ${exit(299, 3, 997)}`],
    ['a shown value that the sum does not give', `${won}, ${entry}, ${exit(301, 3, 1004)}`],
    [
      'a tick as the exit too',
      `${won}, ${entry}, ${exit(301, 3, 1003)}, exit_seq = 2, exit_at = close_at, exit_price = 101`,
    ],
    ['a mean without its range', `${won}, ${entry}, exit_sum = 301, exit_ticks = 3, exit_value = 1003`],
  ])('rejects %s', async (_name, set) => {
    const order = await placeOrder(venue, member)
    const update = sql.raw(`UPDATE orders SET version = version + 1, ${set} WHERE id = '${order.id}'`)
    await expect(venue.db.execute(update)).rejects.toThrow()
    expect((await member.get(`/orders/${order.id}`)).body).toMatchObject(order)
  })
  it('accepts a win that the sum gives', async () => {
    const order = await placeOrder(venue, member)
    const set = `version = version + 1, ${won}, ${entry}, ${exit(301, 3, 1003)}`
    await venue.db.execute(sql.raw(`UPDATE orders SET ${set} WHERE id = '${order.id}'`))
    expect(await fetchOrder(member, order.id)).toMatchObject({ status: 'won', exit: { value: '1.003' } })
  })
})
