import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { wireExitOf } from '../../../../contract/fills.ts'
import { genesis, verifyChain } from '../../../../contract/chain.ts'
import { moneyOf } from '../../../../contract/money.ts'
import { proof as proofSchema, type Order, type Proof } from '../../../../contract/orders.ts'
import { parsePrice } from '../../../../contract/price.ts'
import { settle } from '../../../../contract/settle.ts'
import { createRefundReader } from '../../../../server/market/read/refunds.ts'
import { proofRanges } from '../../../../server/trading/orders/proofRanges.ts'
import { fakeMarket, testProduct } from '../../../support/fakeMarket.ts'
import { orderRequest, placeOrder, tickOnce, runMarket, type OrderList } from '../../../support/orders.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue()
await venue.clock.advance(1)
tickOnce(venue)
const guest = await venue.createMember()
const otherMember = await venue.createMember()

describe('order lists', () => {
  it('filter by tab and field, and new orders do not shift the pages', async () => {
    const member = await venue.createMember()
    const first = await placeOrder(venue, member)
    await runMarket(venue, 10_000, (at) => at % 1000)
    const second = await placeOrder(venue, member, { direction: 'down' })
    const third = await placeOrder(venue, member, { seconds: 60 })
    const ids = async (query: string) =>
      (await member.get<OrderList>(`/orders?${query}`)).body.items.map((order) => order.id)
    expect(new Set(await ids('tab=positions'))).toEqual(new Set([first.id, second.id, third.id]))
    await runMarket(venue, 31_000, () => 10_000)
    expect(await ids('tab=positions')).toEqual([third.id])
    expect(new Set(await ids('tab=closed'))).toEqual(new Set([first.id, second.id]))
    expect(await ids('tab=records')).toHaveLength(3)
    expect(await ids('direction=down')).toEqual([second.id])
    expect(await ids('productId=OTHER')).toEqual([])
    expect(await ids(`to=${second.acceptedAt - 1}`)).toEqual([first.id])
    expect(await ids(`from=${second.acceptedAt}`)).toHaveLength(2)
    const { status } = (await member.get<Order>(`/orders/${first.id}`)).body
    expect(await ids(`result=${status}`)).toContain(first.id)
    const page = (await member.get<OrderList>('/orders?limit=2')).body
    await placeOrder(venue, member)
    const rest = (await member.get<OrderList>(`/orders?limit=2&cursor=${page.nextCursor}`)).body
    expect([...page.items, ...rest.items].map((order) => order.id)).toHaveLength(3)
    expect(rest).toMatchObject({ items: [{ id: first.id }], nextCursor: null })
    for (const bad of ['tab=open', 'result=open', 'limit=0', 'cursor=1', 'from=now', 'x=1']) {
      expect([bad, (await member.get(`/orders?${bad}`)).status]).toEqual([bad, 400])
    }
  })

  it('sort closed orders by when they were settled, with pages and dates too', async () => {
    const member = await venue.createMember()
    const long = await placeOrder(venue, member, { seconds: 60 })
    await runMarket(venue, 1000, () => 10_000)
    const short = await placeOrder(venue, member)
    await runMarket(venue, 1000, () => 10_000)
    const other = await placeOrder(venue, member)
    await runMarket(venue, 70_000, () => 10_000)
    const closed = async (query = '') => (await member.get<OrderList>(`/orders?tab=closed${query}`)).body
    const { items } = await closed()
    expect(items.map(({ id }) => id)).toEqual([long.id, other.id, short.id])
    const times = items.map(({ settledAt }) => settledAt ?? 0)
    expect(times).toEqual([...times].sort((a, b) => b - a))
    const page = await closed('&limit=1')
    const rest = await closed(`&limit=2&cursor=${page.nextCursor}`)
    expect([...page.items, ...rest.items].map(({ id }) => id)).toEqual([long.id, other.id, short.id])
    expect(rest.nextCursor).toBeNull()
    expect((await closed(`&from=${times[0]}`)).items.map(({ id }) => id)).toEqual([long.id])
    expect((await closed(`&to=${times[2]}`)).items.map(({ id }) => id)).toEqual([short.id])
    const lines = (await member.get('/orders.csv?tab=closed')).text.trim().split('\r\n')
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(
      [long, other, short].map(({ id }) => `"${id}"`),
    )
  })

  it('can be downloaded as CSV', async () => {
    const member = await venue.createMember()
    const order = await placeOrder(venue, member, { direction: 'down', amount: '12.00' })
    const reply = await member.get('/orders.csv?tab=positions')
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8')
    const [header, row, end] = reply.text.split('\r\n')
    expect(header).toBe(
      '"id","no","key","productId","direction","amount","seconds","rateBp","status","acceptedAt","closeAt","entrySeq","entryAt","entryPrice","exitSeq","exitAt","exitPrice","settledAt","payout","pnl","reason","version","termsRule","termsPriceDecimals","termsRateBp","termsEntryTimeoutMs","termsMaxTickGapMs","termsSource","exitValue","exitTicks","exitFrom","exitTo","termsEntryDelayMs","termsExitWindowMs","termsExitCutBp","termsExitMinTicks"',
    )
    const accepted = new Date(order.acceptedAt).toISOString()
    expect(row).toBe(
      `"${order.id}","${order.no}","${order.key}","TEST","down","12.00","30","8000","accepted","${accepted}","${new Date(order.closeAt).toISOString()}","","","","","","","","","","","1","R1","2","8000","10000","15000","test","","","","","","","",""`,
    )
    expect(end).toBe('')
  })

  it('stream a long history as CSV in order, and reject more than a year', async () => {
    const member = await venue.createMember()
    const order = await placeOrder(venue, member)
    await venue.db.execute(sql`SET session_replication_role = replica`)
    await venue.db
      .execute(sql`INSERT INTO orders (id, no, member_id, key, product_id, direction, amount, seconds,
        rate_bp, rule, price_decimals, entry_timeout_ms, max_tick_gap_ms, accepted_at, valid_until, close_at, status,
        settled_at, payout, reason, source)
      SELECT 'old-' || g, 'OLD' || g, member_id, 'key-' || g, product_id, direction, amount, seconds, rate_bp, rule,
        price_decimals, entry_timeout_ms, max_tick_gap_ms, accepted_at - d, valid_until - d, close_at - d, 'refunded',
        close_at - d, amount, 'NO_ENTRY', source
      FROM orders, generate_series(1, 1300) g, LATERAL (SELECT (g / 2) * 500000000::bigint AS d) age
      WHERE id = ${order.id}`)
    await venue.db.execute(sql`SET session_replication_role = DEFAULT`)
    const times = (text: string) =>
      text
        .split('\r\n')
        .slice(1, -1)
        .map((line) => Date.parse(line.split('","')[9] ?? ''))
    const year = 366 * 86_400_000
    const last = times((await member.get('/orders.csv')).text)
    expect(last.length).toBe(1 + 1 + 2 * Math.floor(year / 500_000_000))
    expect(last).toEqual(last.toSorted((a, b) => b - a))
    const from = order.acceptedAt - 650 * 500_000_000
    const all: number[] = []
    for (let at = from; at <= order.acceptedAt; at += year)
      all.push(...times((await member.get(`/orders.csv?from=${at}&to=${at + year - 1}`)).text).toReversed())
    expect(all).toHaveLength(1301)
    const tooLong = await member.get(`/orders.csv?from=${from}&to=${from + year + 1}`)
    expect([tooLong.status, tooLong.fields]).toEqual([400, { from: 'INVALID' }])
  })

  it('hide another member’s orders', async () => {
    const order = await placeOrder(venue, guest)
    for (const path of [
      `/orders/${order.id}`,
      `/orders/by-key/${order.key}`,
      `/orders/${order.id}/proof`,
      '/orders/none',
    ]) {
      expect([path, (await otherMember.get(path)).code]).toEqual([path, 'NOT_FOUND'])
    }
    expect((await otherMember.get<OrderList>('/orders')).body.items).toEqual([])
    expect((await otherMember.get('/orders.csv')).text).not.toContain(order.id)
  })
})

describe('proof', () => {
  const proofOf = async (order: Order): Promise<Proof> =>
    proofSchema.parse((await guest.get(`/orders/${order.id}/proof`)).body)
  const rerun = ({ order, ticks, gaps, sources }: Proof) =>
    settle(
      order.terms,
      { ...order, amount: moneyOf(order.amount) },
      ticks.map(([seq, at, price]) => ({ seq, at, price: parsePrice(price, order.terms.priceDecimals)! })),
      gaps,
      sources,
    )

  it('does not exist before the order is settled', async () => {
    const order = await placeOrder(venue, guest)
    expect(await guest.get(`/orders/${order.id}/proof`)).toMatchObject({ status: 409, code: 'NOT_SETTLED' })
    await runMarket(venue, 31_000)
  })

  it('has three chained ticks before and after the order, and settles to the same result', async () => {
    await runMarket(venue, 5000)
    await venue.clock.advance(500)
    const order = await placeOrder(venue, guest)
    await runMarket(venue, 40_000, (at) => 10_000 + (at % 977))
    const proof = await proofOf(order)
    expect(proof.ticks.filter(([, at]) => at < order.acceptedAt)).toHaveLength(3)
    expect(proof.ticks.filter(([, at]) => at > order.closeAt)).toHaveLength(3)
    expect(proof).toMatchObject({
      rule: 'R1',
      gaps: [],
      final: true,
      more: false,
      watermarkAt: venue.market.watermark('TEST'),
    })
    expect(verifyChain('TEST', proof.before!, proof.ticks as never, proof.after!)).toMatchObject({ ok: true })
    const again = rerun(proof)
    expect([again.status, again.entry?.seq]).toEqual([proof.order.status, proof.order.entry?.seq])
    expect(again.exit && wireExitOf(again.exit, 2)).toEqual(proof.order.exit)
  })

  it('ends with the last tick right after the settlement, and has more ticks later', async () => {
    const order = await placeOrder(venue, guest)
    await runMarket(venue, 30_000, (at) => 10_000 + (at % 977))
    const early = await proofOf(order)
    expect(early).toMatchObject({ final: false, more: false })
    expect(early.watermarkAt).toBeGreaterThanOrEqual(order.closeAt)
    expect(early.after!.seq).toBe(early.ticks.at(-1)![0])
    await runMarket(venue, 1000)
    expect((await proofOf(order)).ticks.length).toBe(early.ticks.length + 1)
  })

  it('of a refund shows the gaps in the order’s time, and each gap counts the orders it refunded', async () => {
    const early = await placeOrder(venue, guest)
    await runMarket(venue, 15_000)
    const late = await placeOrder(venue, guest)
    await runMarket(venue, 5000)
    await venue.clock.advance(1000)
    venue.market.recordGap()
    await runMarket(venue, 1000)
    await venue.clock.advanceTo(early.closeAt - 10)
    venue.market.flush()
    await venue.clock.advance(20)
    venue.market.recordGap()
    await runMarket(venue, 40_000)
    const [refunded, settled] = [await proofOf(early), await proofOf(late)]
    expect(refunded.order).toMatchObject({ status: 'refunded', reason: 'FEED_DOWN' })
    expect(settled.order).toMatchObject({ status: 'tied', reason: null })
    expect([refunded.gaps.length, settled.gaps.length]).toEqual([2, 2])
    for (const proof of [refunded, settled]) {
      expect(rerun(proof)).toMatchObject({ status: proof.order.status, reason: proof.order.reason })
    }
    const [first, last] = [refunded.gaps[0]!.from, refunded.gaps[1]!.from]
    const counts = await createRefundReader(venue.db, venue.clock).between(testProduct.id, 'gap', first, last)
    expect([...counts.keys()]).toEqual([last])
    expect(counts.get(last)?.refundedOrders).toBe(1)
  })

  it('of an order without any tick has only the tick before it', async () => {
    const quietVenue = await withVenue({ database: venue.database })
    await quietVenue.clock.advance(1)
    quietVenue.market.setTradingHours({ status: 'open', opensAt: null, closesAt: null })
    quietVenue.market.tick(quietVenue.clock.now() - 1, 10_000)
    quietVenue.market.flush()
    const member = await quietVenue.createMember()
    const order = await placeOrder(quietVenue, member)
    await quietVenue.clock.advanceTo(order.closeAt)
    quietVenue.market.flush()
    await quietVenue.trading.idle()
    const proof = proofSchema.parse((await member.get(`/orders/${order.id}/proof`)).body)
    expect(proof).toMatchObject({
      order: { reason: 'NO_ENTRY' },
      before: genesis('TEST'),
      after: { seq: 1 },
      final: false,
    })
    expect(proof.ticks).toHaveLength(1)
  })
})

describe('proofRanges', () => {
  it('returns the time of every order, merged where they overlap', async () => {
    const product = { ...testProduct, id: 'RANGES' }
    const other = await withVenue({
      database: venue.database,
      clock: venue.clock,
      market: fakeMarket(venue.clock, [testProduct, product]),
    })
    const member = await other.createMember()
    const starts: number[] = []
    for (const wait of [0, 10_000, 100_000, 10_000, 19_999, 30_001]) {
      await venue.clock.advance(wait)
      other.market.tick(venue.clock.now(), 10_000, 'RANGES')
      other.market.flush()
      starts.push(venue.clock.now())
      expect((await member.post('/orders', orderRequest(other, { productId: 'RANGES' }))).status).toBe(201)
    }
    const expected = [
      // To the first leaf of the public log: there was no flush before.
      { from: starts[0]!, to: starts[2]! },
      { from: starts[2]!, to: starts[4]! + 30_000 },
      { from: starts[5]!, to: starts[5]! + 30_000 },
    ]
    const now = venue.clock.now()
    expect(await proofRanges(venue.db, 'RANGES', now + 1)).toEqual(expected)
    expect(await proofRanges(venue.db, 'RANGES', now)).toEqual(expected.slice(0, 2))
    expect(await proofRanges(venue.db, 'NONE', now)).toEqual([])
  })
})
