import type { FastifyInstance, InjectOptions } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { orderRoutes } from '../../../contract/orders.ts'
import { authRoutes } from '../../../contract/auth.ts'
import { ledgerRoutes } from '../../../contract/ledger.ts'
import { memberRoutes } from '../../../contract/member.ts'
import { venueRoutes } from '../../../contract/venueConfig.ts'
import { createRateLimiter } from '../../../server/http/rateLimiter.ts'
import { mount } from '../../../server/http/mount.ts'
import { ApiError } from '../../../server/apiError.ts'
import { memberHeaders, openHttpApp } from '../../support/httpApp.ts'

type Shell = Awaited<ReturnType<typeof openHttpApp>>
const uuid = '6f0b7f3e-0d1c-4a58-9d5b-0e5f9b7f1c11'
const keyed = { ...memberHeaders, 'idempotency-key': uuid }
const goodOrder = {
  productId: 'BTCUSDT',
  direction: 'up',
  amount: '10.00',
  seconds: 30,
  rateBp: 8500,
  validUntil: 1,
}

let shell: Shell
let app: FastifyInstance
let placed: unknown[]
/** What the order handler does. */
let place: () => void

async function open(make: () => Promise<Shell>): Promise<void> {
  shell = await make()
  app = shell.app
  placed = []
  place = () => undefined
  mount(app, venueRoutes.time, async () => ({ now: shell.clock.now() }))
  mount(app, authRoutes.login, async ({ body }) => ({
    token: body.account,
    expiresAt: 1,
    user: {} as never,
  }))
  mount(app, authRoutes.logout, async () => undefined)
  mount(app, memberRoutes.me, async ({ member }) => ({ id: member.memberId }) as never)
  mount(app, ledgerRoutes.practiceReset, async ({ key }) => ({ total: key }) as never)
  mount(app, ledgerRoutes.ledger, async ({ query }) => ({ items: [], nextCursor: String(query.limit) }))
  mount(app, orderRoutes.placeOrder, async ({ body }) => {
    placed.push(body)
    place()
    return { id: 'o' } as never
  })
  mount(app, orderRoutes.order, async ({ params }) => ({ id: params.id }) as never)
  await app.ready()
}

const request = async (options: InjectOptions) => {
  const answer = await app.inject(options)
  const body = answer.body === '' ? undefined : answer.json()
  return {
    status: answer.statusCode,
    code: body?.error?.code,
    error: body?.error,
    body,
    headers: answer.headers,
  }
}
const post = (url: string, headers: Record<string, string> = {}, payload?: object) =>
  request({ method: 'POST', url: `/api${url}`, headers, ...(payload && { payload }) })

beforeEach(() => open(() => openHttpApp()))
afterEach(() => app.close())

describe('the order of refusals', () => {
  it.each([
    ['no session', {}, undefined, 401, 'UNAUTHENTICATED'],
    ['an unknown session', { cookie: 'sid=dead' }, undefined, 401, 'UNAUTHENTICATED'],
    ['no token', { cookie: 'sid=live' }, undefined, 403, 'CSRF'],
    ['a wrong token', { cookie: 'sid=live', 'x-csrf-token': 'other' }, undefined, 403, 'CSRF'],
    ['no key', memberHeaders, {}, 400, 'IDEMPOTENCY_KEY_REQUIRED'],
    [
      'a key that is no UUID',
      { ...memberHeaders, 'idempotency-key': '1' },
      {},
      400,
      'IDEMPOTENCY_KEY_REQUIRED',
    ],
    ['a wrong shape', keyed, { amount: '1' }, 400, 'VALIDATION'],
  ])('%s', async (_what, headers, payload, status, code) => {
    expect(await post('/orders', headers, payload)).toMatchObject({ status, code })
    expect(placed).toEqual([])
    expect(shell.keys.lockedCount).toBe(0)
  })

  it('a good order passes with what the schema read', async () => {
    expect(await post('/orders', keyed, goodOrder)).toMatchObject({ status: 201, body: { id: 'o' } })
    expect(placed).toEqual([goodOrder])
    expect(shell.keys.requests).toEqual([['m', 'POST', '/api/orders', uuid, goodOrder]])
    expect(shell.keys.lockedCount).toBe(0)
  })

  it('a foreign origin is refused before the session is looked at, a call that only reads is not', async () => {
    expect(await post('/auth/login', { origin: 'http://elsewhere.test' }, {})).toMatchObject({ code: 'CSRF' })
    expect(await post('/orders', { ...keyed, origin: 'null' }, goodOrder)).toMatchObject({ status: 403 })
    const read = {
      method: 'GET',
      url: '/api/me',
      headers: { ...memberHeaders, origin: 'http://elsewhere.test' },
    }
    expect(await request(read as InjectOptions)).toMatchObject({ status: 200, body: { id: 'm' } })
  })

  it('the own origin passes', async () => {
    const headers = { ...keyed, origin: 'http://venue.test:8080', host: 'venue.test:8080' }
    expect(await post('/orders', headers, goodOrder)).toMatchObject({ status: 201 })
  })
})

describe('keys', () => {
  it('a stored answer is given again, whatever the shape, without the handler', async () => {
    shell.keys.replay = { status: 422, body: { error: { code: 'INSUFFICIENT_BALANCE', requestId: 'first' } } }
    const answer = await post('/orders', keyed, {})
    expect(answer).toMatchObject({ status: 422, code: 'INSUFFICIENT_BALANCE' })
    expect(answer.headers['idempotent-replayed']).toBe('true')
    expect(placed).toEqual([])
  })

  it('a key is let go when the handler fails', async () => {
    place = () => {
      throw new Error('inside')
    }
    expect(await post('/orders', keyed, goodOrder)).toMatchObject({ status: 500, code: 'INTERNAL' })
    expect(shell.keys.lockedCount).toBe(0)
  })

  it('a key is compared without its case', async () => {
    const headers = { ...memberHeaders, 'idempotency-key': uuid.toUpperCase() }
    expect(await post('/practice/reset', headers)).toMatchObject({ status: 200, body: { total: uuid } })
  })

  it('replays are not counted against the rate, the order that is one too many lets its key go', async () => {
    await app.close()
    await open(() => openHttpApp({ rateLimiter: createRateLimiter({ now: () => 0 }) }))
    for (let i = 0; i < 120; i++) await post('/orders', keyed, goodOrder)
    expect(await post('/orders', keyed, goodOrder)).toMatchObject({
      status: 429,
      error: { params: { retryAfterMs: 100 } },
    })
    expect(shell.keys.lockedCount).toBe(0)
    shell.keys.replay = { status: 201, body: { id: 'o' } }
    expect(await post('/orders', keyed, goodOrder)).toMatchObject({ status: 201 })
  })
})

it.each(['/api/%6frders', '/api/orders', '/%61pi/orders?'])('%s is one call to a key', async (url) => {
  await request({ method: 'POST', url, headers: keyed, payload: goodOrder })
  expect(shell.keys.requests).toEqual([['m', 'POST', '/api/orders', uuid, goodOrder]])
})

describe('shapes', () => {
  it('one code per field, unknown fields named', async () => {
    const answer = await post('/orders', keyed, { ...goodOrder, amount: '1', seconds: 'x', rate: 1 })
    expect(answer.error.fields).toEqual({ amount: 'AMOUNT_FORMAT', seconds: 'TYPE', rate: 'UNKNOWN_FIELD' })
  })

  it('no body is an empty one', async () => {
    expect((await post('/auth/login')).error.fields).toEqual({ account: 'REQUIRED', password: 'REQUIRED' })
  })

  it.each([
    ['broken JSON', { 'content-type': 'application/json' }, '{', 400, 'VALIDATION'],
    [
      'a poisoned prototype',
      { 'content-type': 'application/json' },
      '{"__proto__":{"a":1}}',
      400,
      'VALIDATION',
    ],
    ['plain text', { 'content-type': 'text/plain' }, 'x', 415, 'MEDIA_TYPE'],
    ['no type at all', {}, 'x', 415, 'MEDIA_TYPE'],
    ['too much', { 'content-type': 'application/json' }, `"${'x'.repeat(70_000)}"`, 413, 'BODY_TOO_LARGE'],
  ])('%s', async (_what, headers, payload, status, code) => {
    const answer = await request({ method: 'POST', url: '/api/auth/login', headers, payload })
    expect(answer).toMatchObject({ status, code })
  })

  it('a text that no column can hold is refused wherever it stands', async () => {
    const login = await post('/auth/login', {}, { account: 'a\0b', password: 'x' })
    expect(login).toMatchObject({
      status: 400,
      code: 'VALIDATION',
      error: { fields: { account: 'INVALID' } },
    })
    const query = await request({ url: '/api/me/ledger?cursor=%00', headers: memberHeaders })
    expect(query).toMatchObject({ status: 400, error: { fields: { cursor: 'INVALID' } } })
    const path = await request({ url: '/api/orders/a%00b', headers: memberHeaders })
    expect(path).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })

  it('a call without a body takes none', async () => {
    expect(await post('/auth/logout', memberHeaders)).toMatchObject({ status: 204, body: undefined })
    const json = { ...memberHeaders, 'content-type': 'application/json' }
    expect(await post('/auth/logout', json)).toMatchObject({ status: 204 })
    expect((await post('/auth/logout', memberHeaders, { a: 1 })).error.fields).toEqual({ a: 'UNKNOWN_FIELD' })
  })

  it('a query is read into its types, and checked', async () => {
    const get = (query: string) => request({ url: `/api/me/ledger${query}`, headers: memberHeaders })
    expect((await get('')).body.nextCursor).toBe('20')
    expect((await get('?limit=7')).body.nextCursor).toBe('7')
    expect((await get('?limit=0')).error.fields).toEqual({ limit: 'INVALID' })
    expect((await get('?limit=1&limit=2')).error.fields).toEqual({ limit: 'TYPE' })
    expect((await get('?other=1')).error.fields).toEqual({ other: 'UNKNOWN_FIELD' })
  })
})

describe('answers', () => {
  it('carry the time, a request id and no leave to store them', async () => {
    const { headers, body } = await request({ url: '/api/time' })
    expect(headers).toMatchObject({ 'server-time': String(shell.clock.now()), 'cache-control': 'no-store' })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(body).toEqual({ now: shell.clock.now() })
  })

  it('what is not there is 404 with the time, in JSON', async () => {
    const answer = await request({ url: '/api/nothing' })
    expect(answer).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect(answer.headers['server-time']).toBe(String(shell.clock.now()))
    expect(answer.error.requestId).toBe(answer.headers['x-request-id'])
  })

  it.each(['/api/me/%zz', '/%', `/${'a'.repeat(3000)}`, '//api//time'])('so is %s', async (url) => {
    const answer = await request({ url })
    expect(answer).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect(answer.headers['server-time']).toBe(String(shell.clock.now()))
  })

  it('a refusal keeps its figures, and a wait its header', async () => {
    place = () => {
      throw new ApiError(429, 'RATE_LIMITED', { params: { retryAfterMs: 1500 } })
    }
    const answer = await post('/orders', keyed, goodOrder)
    expect(answer.error).toMatchObject({ code: 'RATE_LIMITED', params: { retryAfterMs: 1500 } })
    expect(answer.headers['retry-after']).toBe('2')
  })

  it('a fault says nothing about its inside', async () => {
    place = () => {
      throw new Error('insert into member values ($1) params: 13800138000')
    }
    const answer = await post('/orders', keyed, goodOrder)
    expect(answer.body).toEqual({ error: { code: 'INTERNAL', requestId: answer.headers['x-request-id'] } })
  })
})

it('the description lists the mounted calls', async () => {
  const { paths } = app.swagger() as { paths: Record<string, Record<string, { requestBody?: object }>> }
  expect(Object.keys(paths)).toContain('/api/orders')
  expect(paths['/api/orders']?.['post']?.requestBody).toBeDefined()
})
