import { afterEach, expect, it } from 'vitest'
import { proof as proofSchema, type Order } from '../../../../contract/orders.ts'
import { productDetail } from '../../../../contract/products.ts'
import { withDatabase } from '../../../support/withVenue.ts'
import type { RunningMarket } from '../../../../server/market/market.ts'
import { checkProof } from '../../../../src/proof/check.ts'
import { collectProof } from '../../../../src/proof/collect.ts'
import { fakeExchange, type FakeExchange } from '../../../support/fakeExchange.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { manualClock, type ManualClock } from '../../../support/manualClock.ts'
import { openMarket, productOf, syntheticProduct } from '../../../support/marketFixtures.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'

let clock: ManualClock
let live: FakeExchange
let venue: TestVenue<RunningMarket>
let member: MemberClient

const database = await withDatabase()
afterEach(async () => {
  await venue.close()
  expect(venue.reportedErrors).toEqual([])
})

let nextId = 0

/** Each test has a product of its own, since they share the log. */
async function open(): Promise<string> {
  const id = `LIVE${++nextId}`
  // Each begins a day after the one before it, so that the log has a gap between them.
  clock = manualClock(Date.UTC(2026, 0, 5 + nextId, 2, 0, 0))
  live = fakeExchange(clock)
  const products = [productOf(id, live.source), syntheticProduct(`WALK${nextId}`, 5)]
  const market = await openMarket(database.db, clock, products, { everyMs: 250 })
  venue = await openTestVenue(database, { clock, market })
  member = await venue.createMember()
  await trade(1000, 10_000)
  return id
}

/** Trades every 250 ms, rising by one, for this long. */
async function trade(ms: number, price: number): Promise<void> {
  for (let i = 0; i * 250 < ms; i++) {
    live.trade(price + i)
    await clock.advance(250)
  }
  await venue.trading.idle()
}

async function place(productId: string): Promise<{ code: string | undefined; order: Order }> {
  const validUntil = clock.now() + 5000
  const body = { productId, direction: 'up', amount: '10.00', seconds: 60, rateBp: 8500, validUntil }
  const { body: order, code } = await member.post<Order>('/orders', body)
  return { code, order }
}

/** The final order, after the client's own check of its proof. */
async function checkedOrder(id: string): Promise<Order> {
  const proof = proofSchema.parse((await member.get(`/orders/${id}/proof`)).body)
  const whole = await collectProof(proof, () => Promise.reject(new Error('the proof is complete')))
  if (!whole.ok) throw new Error('the proof has no ticks')
  const report = await checkProof(whole.value, { agreed: null, heads: [] }, () => Promise.resolve())
  expect(report).toMatchObject({ ok: true })
  return proof.order
}

it('an order over a gap of its live product is refunded, and one of another product is not', async () => {
  const id = await open()
  const ofLive = (await place(id)).order
  const ofOther = (await place(`WALK${nextId}`)).order
  await trade(50_000, 10_010)
  live.drop()
  await clock.advance(5000)
  live.comeBack('missed')
  await trade(1000, 10_300)
  // After the last tick before the close nothing is missing, but between it and the close there is a gap.
  live.drop()
  await clock.advance(6000)
  live.comeBack('missed')
  await trade(2000, 10_300)
  expect(await checkedOrder(ofLive.id)).toMatchObject({
    status: 'refunded',
    reason: 'FEED_DOWN',
    pnl: '0.00',
  })
  const other = await checkedOrder(ofOther.id)
  expect(other.reason).toBeNull()
})

it('an order over a time in which nothing was missed settles by its ticks', async () => {
  const id = await open()
  const { order } = await place(id)
  await trade(30_000, 10_010)
  live.drop()
  await clock.advance(1500)
  live.comeBack('whole')
  await trade(30_000, 10_200)
  const won = await checkedOrder(order.id)
  expect(won).toMatchObject({ status: 'won', reason: null })
  const proof = proofSchema.parse((await member.get(`/orders/${order.id}/proof`)).body)
  expect(proof.gaps).toEqual([])
  expect(proof.ticks.every((tick) => tick.length === 6)).toBe(true)
  const detail = productDetail.parse((await member.get(`/products/${id}`)).body)
  expect(detail.chain).toBe(2)
})

it('waits for the watermark of its own product, and is refunded if its source does not come back', async () => {
  const id = await open()
  const { order } = await place(id)
  await trade(10_000, 10_010)
  live.drop()
  await clock.advance(60_000)
  await venue.trading.idle()
  const waiting = (await member.get<Order>(`/orders/${order.id}`)).body
  expect(waiting.status).toBe('settling')
  await clock.advance(300_000)
  await venue.trading.idle()
  expect(await checkedOrder(order.id)).toMatchObject({ status: 'refunded', reason: 'FEED_DOWN' })
})

it('no order is accepted more than two seconds after the source was last received in full', async () => {
  const id = await open()
  live.drop()
  await clock.advance(1750)
  expect((await place(id)).code).toBeUndefined()
  await clock.advance(500)
  expect((await place(id)).code).toBe('FEED_STALE')
  expect((await place(`WALK${nextId}`)).code).toBeUndefined()
  live.comeBack('missed')
  await trade(500, 10_100)
  expect((await place(id)).code).toBeUndefined()
})
