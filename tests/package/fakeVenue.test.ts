import { filter, firstValueFrom, lastValueFrom } from 'rxjs'
import * as z from 'zod/mini'
import { test as plainTest, describe, expect, it, vi } from 'vitest'
import { openMarket, walk } from 'uptick/test'
import { market } from 'uptick/vitest'
import type { Order } from '../../contract/orders.ts'
import { routes } from '../../contract/routes.ts'

const test = plainTest.extend(market('btc-2022-01-15'))
const draft = { productId: 'BTC', direction: 'up', amount: '10.00', seconds: 30, rateBp: 8500 } as const

describe('a component over the streams', () => {
  test('places an order, which settles by the recorded ticks', async ({ market }) => {
    await market.play('10s')
    const placed = lastValueFrom(market.streams.orders.place(draft))
    const ended = firstValueFrom(market.streams.orders.ended$.pipe(filter(({ length }) => length > 0)))
    const order = await market.untilOrderSettles()
    expect(await placed).toMatchObject({
      state: 'accepted',
      order: { id: order.id, head: { seq: expect.any(Number) } },
    })
    expect(order.acceptedAt).toBeGreaterThanOrEqual(market.now() - 31_000)
    expect(order.closeAt - order.acceptedAt).toBe(30_000)
    expect(['won', 'lost', 'tied']).toContain(order.status)
    expect(order.entry!.at).toBeGreaterThan(order.acceptedAt)
    expect(order.exit).toMatchObject({ at: expect.any(Number) })
    expect((await ended)[0]?.order.id).toBe(order.id)
    const won = Number(order.payout)
    const assets = await firstValueFrom(market.streams.assets$.pipe(filter(({ state }) => state === 'ready')))
    expect(assets).toMatchObject({ value: { available: (9990 + won).toFixed(2), openStakes: '0.00' } })
  })

  test('is refunded for a gap at its close, and not for one in between', async ({ market }) => {
    market.gap('20s', '25s')
    market.gap('38s', '45s')
    market.gap('60s', '65s')
    for (const [from, result] of [
      ['10s', { status: 'refunded', reason: 'FEED_DOWN', payout: '10.00', pnl: '0.00' }],
      ['47s', { reason: null }],
    ] as const) {
      await market.play(from)
      market.streams.orders.place(draft)
      expect(await market.untilOrderSettles()).toMatchObject(result)
    }
  })

  test('hears why an order is refused', async ({ market }) => {
    await market.play('10s')
    const outcome = async (part: object) => {
      const placement = await lastValueFrom(market.streams.orders.place({ ...draft, ...part }))
      return placement.state === 'rejected' && placement.failure.kind === 'rejected'
        ? placement.failure
        : undefined
    }
    await expect(market.untilOrderSettles()).rejects.toThrow(/^no order was placed$/)
    expect(await outcome({ rateBp: 1 })).toMatchObject({
      status: 409,
      code: 'RATE_CHANGED',
      params: { rateBp: 8500 },
    })
    await expect(market.untilOrderSettles()).rejects.toThrow(
      'no order was placed: {"code":"RATE_CHANGED","params":{"rateBp":8500}}',
    )
    expect(await outcome({ amount: '0.50' })).toMatchObject({ status: 400, fields: { amount: 'AMOUNT_MIN' } })
    expect(await outcome({ amount: '10001.00' })).toMatchObject({ status: 422, code: 'INSUFFICIENT_BALANCE' })
    expect(await outcome({ seconds: 7 })).toMatchObject({ status: 422, code: 'DURATION_UNKNOWN' })
    market.stale('11s', '60s')
    market.gap('11s', '60s')
    await market.play('40s')
    expect(await outcome({})).toMatchObject({ status: 422, code: 'FEED_STALE' })
  })
})

describe('a component over REST', () => {
  test('registers, logs in and trades as with a venue', async ({ market }) => {
    vi.stubGlobal('fetch', market.venue.fetch)
    const ask = async (
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ) => {
      const response = await fetch(`/api${path}`, { method, headers, body: JSON.stringify(body) })
      expect(Number(response.headers.get('server-time'))).toBe(market.now())
      return {
        status: response.status,
        headers: response.headers,
        body: (await response.json()) as Record<string, unknown>,
      }
    }
    await market.play('10s')
    expect(await ask('GET', '/me')).toMatchObject({
      status: 401,
      body: { error: { code: 'UNAUTHENTICATED' } },
    })
    const form = { account: 'member1', phone: '13812345678', openingCode: 'UPTICK' }
    expect(await ask('POST', '/auth/register/check', { ...form, phone: '1' })).toMatchObject({
      status: 400,
      body: { error: { fields: { phone: 'PHONE_FORMAT' } } },
    })
    const { registerToken } = (await ask('POST', '/auth/register/check', form)).body
    const [password, transactionPassword] = ['correct horse 7', '482913']
    const passwords = {
      registerToken,
      password,
      confirmPassword: password,
      transactionPassword,
      confirmTransactionPassword: transactionPassword,
    }
    expect(await ask('POST', '/auth/register', { ...passwords, password: 'member1' })).toMatchObject({
      body: { error: { fields: { password: 'PASSWORD_WEAK', confirmPassword: 'PASSWORD_MISMATCH' } } },
    })
    expect((await ask('POST', '/auth/register', passwords)).status).toBe(201)
    expect(await ask('POST', '/auth/register/check', form)).toMatchObject({ status: 409 })
    const login = await ask('POST', '/auth/login', { account: 'MEMBER1', password: 'correct horse 7' })
    expect(login.headers.getSetCookie()).toHaveLength(2)
    const csrf = { 'X-CSRF-Token': String(login.body['token']) }
    expect((await ask('GET', '/me')).body).toMatchObject({ account: 'member1' })

    const key = { ...csrf, 'Idempotency-Key': '00000000-0000-4000-8000-00000000abcd' }
    const order = { ...draft, validUntil: market.now() + 5000 }
    expect(await ask('POST', '/orders', order)).toMatchObject({
      status: 403,
      body: { error: { code: 'CSRF' } },
    })
    expect((await ask('POST', '/orders', order, csrf)).body).toMatchObject({
      error: { code: 'IDEMPOTENCY_KEY_REQUIRED' },
    })
    const first = await ask('POST', '/orders', order, key)
    const again = await ask('POST', '/orders', order, key)
    expect(first.status).toBe(201)
    expect(again).toMatchObject({ status: 201, body: first.body })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await ask('POST', '/orders', { ...order, amount: '11.00' }, key)).toMatchObject({ status: 422 })
    expect((await ask('GET', '/me/assets')).body).toMatchObject({ available: '9990.00', total: '10000.00' })
    expect((await ask('GET', '/orders?tab=positions')).body['items']).toHaveLength(1)
    await market.untilOrderSettles(first.body['id'] as string)
    const settled = (await ask('GET', `/orders/${String(first.body['id'])}`)).body as Order
    expect(settled.status).not.toBe('open')
    expect((await ask('GET', '/orders?tab=positions')).body['items']).toHaveLength(0)
    expect(z.safeParse(routes.order.answer, settled).success).toBe(true)
    vi.unstubAllGlobals()
  })

  test('logs out of its own session only', async ({ market }) => {
    const { fetch, member } = market.venue
    const ask = (path: string, headers: Record<string, string> = {}) =>
      fetch(`/api${path}`, { method: 'POST', headers, body: JSON.stringify(member) })
    await market.play('10s')
    const { token } = (await (await ask('/auth/login')).json()) as { token: string }
    expect((await ask('/auth/logout', { 'X-CSRF-Token': token })).status).toBe(204)
    expect((await fetch('/api/me')).status).toBe(401)
    market.streams.orders.place(draft)
    expect(await market.untilOrderSettles()).toMatchObject({ productId: draft.productId })
  })

  test('has no product whose name cannot be read', async ({ market }) => {
    expect((await market.venue.fetch('/api/products/%E0')).status).toBe(404)
  })
})

describe('without Vitest', () => {
  it('opens recordings by name, by path and made-up ones', async () => {
    const market = await openMarket({
      BTC: 'btc-2022-01-15',
      W: walk(7),
      IF: 'streams/recordings/IF2101_2021-01-04.csv.gz',
    })
    await market.play('10s')
    market.expectQuote({ price: '42969.87', stale: false, status: 'open' })
    expect(() => market.expectQuote({ price: '2.00' })).toThrow(
      /BTC at \d+: price is \d+\.\d\d, expected 2\.00/,
    )
    expect(market.quote('W')!.seq).toBeGreaterThan(10)
    market.close()
    await expect(openMarket('tests/package/samples/LTCUSDT-trades-2025-06-21.csv')).rejects.toThrow(
      'it has no header; "uptick convert" reads other files',
    )
    await expect(openMarket('nothing')).rejects.toThrow('no recording nothing: there are btc-2022-01-15')
  })

  it('plays the same with the same seed', async () => {
    const run = async (seed: number): Promise<unknown> => {
      const market = await openMarket({ W: walk(seed) })
      await market.play('10s')
      market.streams.orders.place({ ...draft, productId: 'W' })
      const order = await market.untilOrderSettles()
      market.close()
      return order
    }
    expect(await run(7)).toEqual(await run(7))
    expect(await run(7)).not.toEqual(await run(8))
  })
})

describe('timers', () => {
  const timed = plainTest.extend(market('btc-2022-01-15', { timers: true }))

  timed('go along with the market, Date too', async ({ market }) => {
    const start = market.now()
    expect(Date.now()).toBe(start)
    const seen: number[] = []
    const timer = setInterval(() => seen.push(Date.now() - start, market.now() - start), 1000)
    setTimeout(() => void Promise.resolve().then(() => setTimeout(() => seen.push(-1), 200)), 300)
    await market.play('3s')
    clearInterval(timer)
    expect(seen).toEqual([-1, 1000, 1000, 2000, 2000, 3000, 3000])
    expect(Date.now()).toBe(market.now())
  })

  timed('sleep while the market is sought', async ({ market }) => {
    let rings = 0
    setTimeout(() => rings++, 20_000)
    await market.play('5s')
    await market.seek('60s')
    expect([Date.now() - market.now(), rings]).toEqual([0, 0])
    await market.play('70s')
    expect([Date.now() - market.now(), rings]).toEqual([0, 0])
    await market.play('75s')
    expect([Date.now() - market.now(), rings]).toEqual([0, 1])
  })

  test('are real again afterwards', () => expect(vi.isFakeTimers()).toBe(false))
})
