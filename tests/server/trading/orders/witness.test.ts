import { afterEach, expect, it } from 'vitest'
import { genesis, verifyChain, type WireTick } from '../../../../contract/chain.ts'
import type { Order } from '../../../../contract/orders.ts'
import { productDetail, productRoutes, type TicksAnswer } from '../../../../contract/products.ts'
import { withDatabase } from '../../../support/withVenue.ts'
import { withWitness } from '../../../../server/market/feed/loadProducts.ts'
import type { RunningMarket } from '../../../../server/market/market.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { fakeExchange, type FakeExchange } from '../../../support/fakeExchange.ts'
import { manualClock, type ManualClock } from '../../../support/manualClock.ts'
import { openMarket, productOf } from '../../../support/marketFixtures.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'

let clock: ManualClock
let own: FakeExchange
let second: FakeExchange
let venue: TestVenue<RunningMarket>
let member: MemberClient

const database = await withDatabase()
afterEach(async () => {
  // The next test's table lacks this product, so its orders must be settled.
  own.comeBack('missed')
  await trade(75_000, 10_000, 10_000)
  await venue.close()
  expect(venue.reportedErrors).toEqual([])
})

let nextId = 0

/** A product with a witness that may differ by 10 basis points; each test has its own, since they share the log. */
async function open(): Promise<string> {
  const id = `PAIR${++nextId}`
  clock = manualClock(Date.UTC(2026, 0, 5 + nextId, 2, 0, 0))
  await start(id)
  await trade(1000, 10_000, 10_005)
  return id
}

async function start(id: string): Promise<void> {
  own = fakeExchange(clock, { fingerprint: 'exchange:own' })
  second = fakeExchange(clock, { fingerprint: 'exchange:second' })
  const products = withWitness(productOf(id, own.source), productOf(`${id}~kraken`, second.source), 10)
  venue = await openTestVenue(database, {
    clock,
    market: await openMarket(database.db, clock, products, { everyMs: 250 }),
  })
  member = await venue.createMember()
}

/** Trades of both every 250 ms for this long; null is none. */
async function trade(ms: number, price: number | null, witnessPrice: number | null): Promise<void> {
  for (let i = 0; i * 250 < ms; i++) {
    if (price !== null) own.trade(price)
    if (witnessPrice !== null) second.trade(witnessPrice)
    await clock.advance(250)
  }
  await venue.trading.idle()
}

async function place(productId: string) {
  const validUntil = clock.now() + 5000
  const body = { productId, direction: 'up', amount: '10.00', seconds: 60, rateBp: 8500, validUntil }
  return member.post<Order & { error?: { params?: unknown; fields?: unknown } }>('/orders', body)
}

const refused = { status: 422, code: 'FEED_STALE', body: { error: { params: { reason: 'witness' } } } }

it('new orders are refused once the witness has differed for 2 s, and accepted as soon as it agrees', async () => {
  const id = await open()
  expect((await place(id)).status).toBe(201)
  await trade(1750, 10_000, 10_100)
  expect((await place(id)).status).toBe(201)
  await trade(750, 10_000, 10_100)
  expect(await place(id)).toMatchObject(refused)
  await trade(250, 10_095, 10_100)
  expect((await place(id)).status).toBe(201)
})

it('new orders are refused once the witness is silent for 30 s, and accepted after its next tick', async () => {
  const id = await open()
  await trade(29_000, 10_000, null)
  expect((await place(id)).status).toBe(201)
  await trade(1500, 10_000, null)
  expect(await place(id)).toMatchObject(refused)
  await trade(250, 10_000, 10_000)
  expect((await place(id)).status).toBe(201)
})

it('a witness whose exchange is not received refuses new orders after 30 s, and none before', async () => {
  const id = await open()
  second.drop()
  await trade(29_000, 10_300, null)
  expect((await place(id)).status).toBe(201)
  await trade(1500, 10_300, null)
  expect(await place(id)).toMatchObject(refused)
  second.comeBack('missed')
  await trade(500, 10_300, 10_300)
  expect((await place(id)).status).toBe(201)
})

it('prices of the product that stopped are stale for that reason, not because of the witness', async () => {
  const id = await open()
  own.drop()
  await trade(3000, null, 10_500)
  expect(await place(id)).toMatchObject({ code: 'FEED_STALE', body: { error: { code: 'FEED_STALE' } } })
  expect((await place(id)).body.error?.params).toBeUndefined()
})

it('after a restart the verdict is that of the log', async () => {
  const id = await open()
  await trade(3000, 10_000, 10_100)
  await venue.close()
  await start(id)
  await clock.advance(250)
  // The log goes on after the gap: the newest prices still differ.
  expect(await place(id)).toMatchObject(refused)
  await trade(500, 10_100, 10_100)
  expect((await place(id)).status).toBe(201)
})

it('an accepted order settles by its own ticks, whatever the witness says, and the prices are those of the source', async () => {
  const id = await open()
  const { body: order } = await place(id)
  await trade(20_000, 10_000, 9000)
  second.drop()
  await trade(41_000, 10_010, null)
  expect((await member.get<Order>(`/orders/${order.id}`)).body).toMatchObject({
    status: 'won',
    reason: null,
    entry: { price: '100.00' },
    exit: { price: '100.10' },
  })
  const { ticks } = (await member.get<TicksAnswer>(`/products/${id}/ticks?afterSeq=0`)).body
  expect(new Set(ticks.map(([, , price]) => price))).toEqual(new Set(['100.00', '100.10']))
  expect((await member.get<{ items: unknown[] }>(`/products/${id}/gaps`)).body.items).toEqual([])
})

it('a witness is a public product with ticks, candles and gaps, in no list, and takes no orders', async () => {
  const id = await open()
  const witnessId = `${id}~kraken`
  second.drop()
  await clock.advance(5000)
  second.comeBack('missed')
  await trade(1000, 10_000, 10_005)
  const detail = productDetail.parse((await member.get(`/products/${id}`)).body)
  expect(detail.witness).toEqual({ id: witnessId, maxDeviationBp: 10 })
  const witness = productDetail.parse((await member.get(`/products/${witnessId}`)).body)
  expect(witness).toMatchObject({ id: witnessId, witnessOf: id, chain: 2, durations: [], rateBp: 0 })

  for (const query of ['', '?category=crypto', `?q=${id}`]) {
    const list = productRoutes.products.answer.parse((await member.get(`/products${query}`)).body)
    expect(list.items.map((each) => each.id)).toEqual([id])
  }
  const page = (await member.get<TicksAnswer>(`/products/${witnessId}/ticks?afterSeq=0`)).body
  expect(page.ticks.length).toBeGreaterThan(4)
  expect(page.ticks.every((tick) => tick.length === 6 && tick[2] === '100.05')).toBe(true)
  const wireTicks = page.ticks as unknown as WireTick[]
  const before = page.before ?? genesis(witnessId)
  expect(verifyChain(witnessId, before, wireTicks, venue.market.head(witnessId))).toMatchObject({ ok: true })
  const { candles } = (await member.get<{ candles: unknown[] }>(`/products/${witnessId}/candles?tf=1m`)).body
  expect(candles.length).toBeGreaterThan(0)
  expect((await member.get<{ items: unknown[] }>(`/products/${witnessId}/gaps`)).body.items).toHaveLength(1)

  const { status, code, body } = await place(witnessId)
  expect([status, code, body.error?.fields]).toEqual([400, 'VALIDATION', { productId: 'NO_ORDERS' }])
})
