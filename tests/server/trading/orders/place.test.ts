import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { minor, epochMs } from '../../../../contract/units.ts'
import { order as orderSchema, type Order, type PlaceRequest } from '../../../../contract/orders.ts'
import type { Assets, LedgerEntry } from '../../../../contract/ledger.ts'
import { testProduct } from '../../../support/fakeMarket.ts'
import { orderRequest, placeOrder, tickOnce } from '../../../support/orders.ts'
import { testFence } from '../../../support/testFence.ts'
import { call, type Reply } from '../../../support/apiCalls.ts'
import { withVenue } from '../../../support/withVenue.ts'
import { withoutBatch } from '../../../support/withoutBatch.ts'

const venue = await withVenue()
const guest = await venue.createMember()
beforeEach(async () => {
  await venue.clock.advance(60_000)
  venue.market.changeSettings(testProduct)
  venue.market.setTradingHours({ status: 'open', opensAt: null, closesAt: null })
  venue.market.setStatus('live')
  tickOnce(venue)
})

describe('placing an order', () => {
  it('debits the stake, returns the accepted order and publishes it to the member', async () => {
    const member = await venue.createMember(minor(50_000))
    const request = orderRequest(venue, { amount: '123.45', direction: 'down' })
    const key = venue.random.uuid()
    const reply = await member.post<Order>('/orders', request, key)
    expect(reply.status).toBe(201)
    expect(orderSchema.parse(reply.body)).toEqual({
      id: reply.body.id,
      no: reply.body.no,
      key,
      productId: 'TEST',
      direction: 'down',
      amount: '123.45',
      seconds: 30,
      rateBp: 8000,
      terms: {
        rule: 'R1',
        priceDecimals: 2,
        rateBp: 8000,
        entryTimeoutMs: 10_000,
        maxTickGapMs: 15_000,
        source: 'test',
      },
      status: 'accepted',
      acceptedAt: venue.clock.now(),
      closeAt: venue.clock.now() + 30_000,
      entry: null,
      exit: null,
      settledAt: null,
      payout: null,
      pnl: null,
      reason: null,
      version: 1,
      head: { ...venue.market.head('TEST'), at: venue.market.watermark('TEST') },
      receipt: expect.stringMatching(/^uptick-order\/v1\n/),
      receiptSalt: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    expect(reply.body.no).toMatch(/^UT-\d{6}-[0-9A-HJKMNP-TV-Z]{6}$/)
    const assets = (await member.get<Assets>('/me/assets')).body
    expect(assets).toMatchObject({ total: '500.00', available: '376.55', openStakes: '123.45', version: 2 })
    const { receipt: _receipt, receiptSalt: _salt, ...event } = reply.body
    expect(venue.bus.eventsFor<Order>(member.id, 'order')).toEqual([event])
    expect(venue.bus.eventsFor<Assets>(member.id, 'assets')).toEqual([assets])
    const record = (await member.get<{ items: LedgerEntry[] }>('/me/ledger')).body.items
    expect(venue.bus.eventsFor<LedgerEntry>(member.id, 'ledger')).toEqual(record.slice(0, 1))
    expect(record[0]).toEqual({
      id: '2',
      at: reply.body.acceptedAt,
      type: 'stake',
      amount: '-123.45',
      balanceAfter: '376.55',
      held: '0.00',
      fund: '0.00',
      ref: { kind: 'order', id: reply.body.id, no: reply.body.no, productId: 'TEST' },
    })
  })

  it('places many concurrent orders, each once', async () => {
    const members = await Promise.all(Array.from({ length: 5 }, () => venue.createMember(minor(10_000))))
    const replies = await Promise.all(
      members.flatMap((member) =>
        Array.from({ length: 12 }, () => member.post<Order>('/orders', orderRequest(venue))),
      ),
    )
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(50)
    expect(replies.filter((reply) => reply.code === 'INSUFFICIENT_BALANCE')).toHaveLength(10)
    expect(new Set(replies.flatMap((reply) => reply.body.no ?? [])).size).toBe(50)
    for (const member of members) {
      expect((await member.get<Assets>('/me/assets')).body).toMatchObject({
        available: '0.00',
        openStakes: '100.00',
        version: 11,
      })
      const published = venue.bus.eventsFor<LedgerEntry>(member.id, 'ledger')
      const record = (await member.get<{ items: LedgerEntry[] }>('/me/ledger')).body.items
      expect(published).toEqual(record.slice(0, 10).toReversed())
    }
  })

  it('accepts an order that the balance covers although a larger concurrent one is rejected', async () => {
    const member = await venue.createMember(minor(2_000))
    const replies = await Promise.all(
      ['15.00', '15.00', '5.00'].map((amount) => member.post('/orders', orderRequest(venue, { amount }))),
    )
    expect(replies.map((reply) => reply.status)).toEqual([201, 422, 201])
  })

  it('rejects a request without a session or a key', async () => {
    expect((await call(venue.app, 'POST', '/orders', { body: orderRequest(venue) })).status).toBe(401)
    expect((await guest.send('POST', '/orders', orderRequest(venue))).code).toBe('IDEMPOTENCY_KEY_REQUIRED')
  })
})

type Setup = (now: number) => void
const setTradingHours = (
  status: 'open' | 'closed' | 'maintenance',
  at: { opensAt?: number; closesAt?: number } = {},
) => venue.market.setTradingHours({ status, opensAt: null, closesAt: null, ...at })

describe('an invalid order', () => {
  const rows: [
    string,
    (now: number) => Partial<PlaceRequest>,
    Setup | null,
    number,
    string,
    Record<string, unknown>?,
  ][] = [
    ['an unknown product', () => ({ productId: 'NONE' }), null, 404, 'NOT_FOUND'],
    [
      'a product in maintenance',
      () => ({}),
      (now) => setTradingHours('maintenance', { opensAt: now + 5 }),
      422,
      'PRODUCT_MAINTENANCE',
    ],
    [
      'a closed product',
      () => ({}),
      (now) => setTradingHours('closed', { opensAt: now + 5 }),
      422,
      'PRODUCT_CLOSED',
    ],
    ['a feed that is not live', () => ({}), () => venue.market.setStatus('stale'), 422, 'FEED_STALE'],
    ['an unknown duration', () => ({ seconds: 31 }), null, 422, 'DURATION_UNKNOWN'],
    [
      'a close after the trading hours',
      () => ({}),
      (now) => setTradingHours('open', { closesAt: now + 29_999 }),
      422,
      'CROSSES_CLOSE',
    ],
    ['a passed deadline', (now) => ({ validUntil: epochMs(now - 1) }), null, 410, 'INTENT_EXPIRED'],
    ['another rate', () => ({ rateBp: 8001 }), null, 409, 'RATE_CHANGED', { rateBp: 8000 }],
    ['more than the balance', () => ({ amount: '10000.01' }), null, 422, 'INSUFFICIENT_BALANCE'],
  ]
  it.each(rows)('is rejected: %s', async (_name, change, setup, status, code, params) => {
    const now = venue.clock.now()
    setup?.(now)
    const member = await venue.createMember()
    const request = orderRequest(venue, change(now))
    const key = venue.random.uuid()
    const reply = await member.post('/orders', request, key)
    expect([reply.status, reply.code]).toEqual([status, code])
    if (params) expect(reply.params).toEqual(params)
    if (code.startsWith('PRODUCT_')) expect(reply.params).toEqual({ opensAt: now + 5 })
    expect((await member.get<Assets>('/me/assets')).body).toMatchObject({ available: '10000.00', version: 1 })

    // A rejection by a rule stays the key's answer even when its reason is gone; another key is checked again.
    venue.market.setTradingHours({ status: 'open', opensAt: null, closesAt: null })
    venue.market.setStatus('live')
    const again = await member.post('/orders', request, key)
    expect([again.status, again.code, again.replayed]).toEqual([status, code, status !== 404])
    const mismatch = await member.post('/orders', { ...request, direction: 'down' }, key)
    expect(mismatch.code).toBe(status === 404 ? 'NOT_FOUND' : 'IDEMPOTENCY_MISMATCH')
  })

  it('is rejected if the last tick is older than the product allows', async () => {
    await venue.clock.advance(15_001)
    expect((await guest.post('/orders', orderRequest(venue))).code).toBe('FEED_STALE')
    tickOnce(venue)
    await venue.clock.advance(15_000)
    expect((await guest.post('/orders', orderRequest(venue))).status).toBe(201)
  })

  const shapes: [string, object, string, string][] = [
    ['an amount of one decimal', { amount: '10.0' }, 'amount', 'AMOUNT_FORMAT'],
    ['an amount with a sign', { amount: '-10.00' }, 'amount', 'AMOUNT_FORMAT'],
    ['an amount as a number', { amount: 10 }, 'amount', 'REQUIRED'],
    ['leading zeros', { amount: '010.00' }, 'amount', 'AMOUNT_FORMAT'],
    ['an amount of zero', { amount: '0.00' }, 'amount', 'AMOUNT_MIN'],
    ['less than the minimum', { amount: '0.99' }, 'amount', 'AMOUNT_MIN'],
    [
      'less than the duration’s minimum',
      { amount: '4.99', seconds: 60, rateBp: 8500 },
      'amount',
      'AMOUNT_MIN',
    ],
    [
      'more than the duration’s maximum',
      { amount: '5000.01', seconds: 60, rateBp: 8500 },
      'amount',
      'AMOUNT_MAX',
    ],
    ['more than the maximum', { amount: '999999.01' }, 'amount', 'AMOUNT_MAX'],
    ['a huge amount', { amount: '9999999999999.00' }, 'amount', 'AMOUNT_MAX'],
    ['an unknown direction', { direction: 'left' }, 'direction', 'INVALID'],
    ['half a second', { seconds: 0.5 }, 'seconds', 'TYPE'],
    ['an unknown field', { stopLoss: 1 }, 'stopLoss', 'UNKNOWN_FIELD'],
  ]
  it.each(shapes)('is rejected without using up its key: %s', async (_name, change, field, code) => {
    const key = venue.random.uuid()
    const reply = await guest.post('/orders', { ...orderRequest(venue), ...change }, key)
    expect([reply.status, reply.code, reply.fields]).toEqual([
      400,
      'VALIDATION',
      { [field]: expect.any(String) },
    ])
    if (code.startsWith('AMOUNT') || code === 'UNKNOWN_FIELD') expect(reply.fields![field]).toBe(code)
    expect((await guest.post('/orders', orderRequest(venue), key)).status).toBe(201)
  })

  it('is rejected if its deadline is more than thirty seconds ahead', async () => {
    const postWithDeadline = (ms: number) =>
      guest.post('/orders', orderRequest(venue, { validUntil: epochMs(venue.clock.now() + ms) }))
    expect((await postWithDeadline(30_001)).fields).toEqual({ validUntil: 'VALID_UNTIL' })
    expect((await postWithDeadline(30_000)).status).toBe(201)
    expect((await postWithDeadline(0)).status).toBe(201)
  })

  it('is rejected with the first reason in the contract’s order', async () => {
    const member = await venue.createMember(minor(0))
    const now = venue.clock.now()
    const codeOf = async (change: Partial<PlaceRequest>) =>
      (await member.post('/orders', orderRequest(venue, change))).code
    const wrong = { rateBp: 1, validUntil: epochMs(now - 1), amount: '0.50' }
    setTradingHours('closed')
    expect(await codeOf({ ...wrong, validUntil: epochMs(now + 40_000) })).toBe('VALIDATION')
    expect(await codeOf(wrong)).toBe('PRODUCT_CLOSED')
    setTradingHours('open')
    expect(await codeOf(wrong)).toBe('INTENT_EXPIRED')
    expect(await codeOf({ ...wrong, validUntil: epochMs(now) })).toBe('RATE_CHANGED')
    expect(await codeOf({ amount: '0.50' })).toBe('VALIDATION')
    expect(await codeOf({})).toBe('INSUFFICIENT_BALANCE')
  })
})

describe('an order’s key', () => {
  it('places one order for many concurrent requests', async () => {
    const member = await venue.createMember()
    const request = orderRequest(venue)
    const key = venue.random.uuid()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => member.post<Order>('/orders', request, key)),
    )
    expect(new Set(replies.map(({ text }) => withoutBatch(text))).size).toBe(1)
    expect(replies.map((reply) => reply.status)).toEqual(Array.from({ length: 20 }, () => 201))
    expect(replies.filter((reply) => reply.replayed)).toHaveLength(19)
    expect((await member.get<Assets>('/me/assets')).body.openStakes).toBe('10.00')
  })

  it('ignores case, and belongs to one member', async () => {
    const [member, otherMember] = [await venue.createMember(), await venue.createMember()]
    const request = orderRequest(venue)
    const key = venue.random.uuid()
    const first = await member.post<Order>('/orders', request, key)
    expect((await member.post<Order>('/orders', request, key.toUpperCase())).body.id).toBe(first.body.id)
    expect((await otherMember.post<Order>('/orders', request, key)).body.id).not.toBe(first.body.id)
  })

  it('replays the first answer after the order has changed', async () => {
    const member = await venue.createMember()
    const request = orderRequest(venue)
    const key = venue.random.uuid()
    const first = await member.post<Order>('/orders', request, key)
    await venue.clock.advance(1000)
    tickOnce(venue)
    await venue.trading.idle()
    expect((await member.get<Order>(`/orders/${first.body.id}`)).body.status).toBe('open')
    const again = await member.post<Order>('/orders', request, key)
    expect(withoutBatch(again.text)).toBe(withoutBatch(first.text))
  })

  it('replays its order beside new orders of the same moment', async () => {
    const members = await Promise.all(Array.from({ length: 6 }, () => venue.createMember()))
    const keys = members.map(() => venue.random.uuid())
    const placeAll = (): Promise<Reply<Order>[]> =>
      Promise.all(
        members.flatMap((member, i) => [
          member.post<Order>('/orders', orderRequest(venue), keys[i]),
          member.post<Order>('/orders', orderRequest(venue), venue.random.uuid()),
        ]),
      )
    const first = await placeAll()
    const again = await placeAll()
    const isRepeated = (_reply: unknown, i: number): boolean => i % 2 === 0
    expect(again.map(({ status }) => status)).toEqual(first.map(() => 201))
    expect(again.map(({ replayed }) => replayed)).toEqual(again.map(isRepeated))
    expect(again.filter(isRepeated).map(({ text }) => withoutBatch(text))).toEqual(
      first.filter(isRepeated).map(({ text }) => withoutBatch(text)),
    )
    for (const member of members)
      expect((await member.get<Assets>('/me/assets')).body.openStakes).toBe('30.00')
  })

  it('replays its order even after the product has closed', async () => {
    const member = await venue.createMember()
    const [request, key] = [orderRequest(venue), venue.random.uuid()]
    const first = await member.post<Order>('/orders', request, key)
    setTradingHours('closed')
    const again = await member.post<Order>('/orders', request, key)
    expect([again.replayed, withoutBatch(again.text)]).toEqual([true, withoutBatch(first.text)])
  })

  it.each([{ productId: 'NONE' }, { amount: 'ten' }, { direction: 'down' as const }])(
    'belongs to one body: %j is a mismatch, whatever else is wrong with it',
    async (change) => {
      const member = await venue.createMember()
      const [request, key] = [orderRequest(venue), venue.random.uuid()]
      await member.post<Order>('/orders', request, key)
      const other = await member.post('/orders', { ...request, ...change }, key)
      expect([other.status, other.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH'])
    },
  )

  it('finds its order, after waiting for a placement in progress', async () => {
    const member = await venue.createMember()
    const key = venue.random.uuid()
    const placing = member.post<Order>('/orders', orderRequest(venue), key)
    const reply = await member.get<Order>(`/orders/by-key/${key}`)
    expect([404, 200]).toContain(reply.status)
    const { body } = await placing
    expect((await member.get<Order>(`/orders/by-key/${key}`)).body.id).toBe(body.id)
    expect((await guest.get(`/orders/by-key/${key}`)).status).toBe(404)
    expect((await member.get(`/orders/by-key/${venue.random.uuid()}`)).status).toBe(404)
  })

  it('never places a second order, even after its answer was pruned', async () => {
    const member = await venue.createMember()
    const key = venue.random.uuid()
    const first = await member.post<Order>('/orders', orderRequest(venue), key)
    await venue.clock.jumpBy(9 * 86_400_000)
    await venue.idempotencyKeys.prune(testFence)
    tickOnce(venue)
    const { sid, token } = await venue.sessions.open(member.id, { device: '', ip: '' })
    const headers = { cookie: `sid=${sid}`, 'x-csrf-token': token, 'idempotency-key': key }
    const late = await call(venue.app, 'POST', '/orders', { body: orderRequest(venue), headers })
    expect([late.status, late.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH'])
    expect((await venue.db.execute(sql`SELECT id FROM orders WHERE member_id = ${member.id}`)).rows).toEqual([
      { id: first.body.id },
    ])
  })
})

describe('the database', () => {
  it.each([
    ['another stake', 'amount = amount + 1'],
    ['another rate', 'rate_bp = rate_bp + 1'],
    ['another direction', `direction = 'down'`],
    ['a later close', 'close_at = close_at + 1000, seconds = seconds + 1'],
    ['a win without ticks', `status = 'won', payout = 1800, settled_at = 1`],
    ['a refund of more', `status = 'refunded', reason = 'NO_ENTRY', payout = amount + 1, settled_at = 1`],
    [
      'a win of more than the rate',
      `status = 'won', payout = 1801, settled_at = 1, entry_seq = 1, entry_at = accepted_at + 1, entry_price = 1, exit_seq = 2, exit_at = close_at, exit_price = 2`,
    ],
    [
      'a win that the prices lost',
      `status = 'won', payout = 1800, settled_at = 1, entry_seq = 1, entry_at = accepted_at + 1, entry_price = 2, exit_seq = 2, exit_at = close_at, exit_price = 1`,
    ],
    ['an entry before acceptance', `status = 'open', entry_seq = 1, entry_at = accepted_at, entry_price = 1`],
    [
      'a version that jumps',
      `status = 'open', version = version + 2, entry_seq = 1, entry_at = accepted_at + 1, entry_price = 1`,
    ],
  ])('rejects %s', async (_name, set) => {
    const member = await venue.createMember()
    const order = await placeOrder(venue, member)
    const version = set.includes('version') ? '' : 'version = version + 1, '
    const statement = `UPDATE orders SET ${version}${set} WHERE id = '${order.id}'`
    await expect(venue.db.execute(sql.raw(statement))).rejects.toThrow()
    await expect(venue.db.execute(sql.raw(`DELETE FROM orders WHERE id = '${order.id}'`))).rejects.toThrow()
    expect((await member.get(`/orders/${order.id}`)).body).toMatchObject(order)
  })
})
