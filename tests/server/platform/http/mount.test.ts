import type { FastifyInstance, InjectOptions } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { orderRoutes } from '../../../../contract/orders.ts'
import { authRoutes } from '../../../../contract/auth.ts'
import { ledgerRoutes } from '../../../../contract/ledger.ts'
import { memberRoutes } from '../../../../contract/member.ts'
import { venueRoutes } from '../../../../contract/venueConfig.ts'
import { createRateLimiter } from '../../../../server/platform/http/rateLimiter.ts'
import { mount, replayStored } from '../../../../server/platform/http/mount.ts'
import { ApiError } from '../../../../server/platform/apiError.ts'
import { createLogger } from '../../../../server/platform/log.ts'
import { memberHeaders, openHttpApp, singleMemberAuthenticator } from '../../../support/httpApp.ts'

type TestHttpApp = Awaited<ReturnType<typeof openHttpApp>>
const uuid = '6f0b7f3e-0d1c-4a58-9d5b-0e5f9b7f1c11'
const keyed = { ...memberHeaders, 'idempotency-key': uuid }
const validOrder = {
  productId: 'BTCUSDT',
  direction: 'up',
  amount: '10.00',
  seconds: 30,
  rateBp: 8500,
  validUntil: 1,
}

let httpApp: TestHttpApp
let app: FastifyInstance
let placed: unknown[]
/** Called by the order handler. */
let onPlace: () => void

async function open(create: () => Promise<TestHttpApp>): Promise<void> {
  httpApp = await create()
  app = httpApp.app
  placed = []
  onPlace = () => undefined
  mount(app, venueRoutes.time, async () => ({ now: httpApp.clock.now() }))
  mount(app, authRoutes.login, async ({ body }) => ({
    token: body.account,
    expiresAt: 1,
    user: {} as never,
  }))
  mount(app, authRoutes.logout, async () => undefined)
  mount(app, memberRoutes.me, async ({ member }) => ({ id: member.memberId }) as never)
  mount(app, ledgerRoutes.resetPractice, async ({ key }) => ({ total: key }) as never)
  mount(app, ledgerRoutes.ledger, async ({ query }) => ({ items: [], nextCursor: String(query.limit) }))
  mount(app, orderRoutes.placeOrder, async ({ body }) => {
    placed.push(body)
    onPlace()
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

describe('checks before the handler', () => {
  it.each([
    ['no session', {}, undefined, 401, 'UNAUTHENTICATED'],
    ['an unknown session', { cookie: 'sid=dead' }, undefined, 401, 'UNAUTHENTICATED'],
    ['no token', { cookie: 'sid=live' }, undefined, 403, 'CSRF'],
    ['a wrong token', { cookie: 'sid=live', 'x-csrf-token': 'other' }, undefined, 403, 'CSRF'],
    ['what another member confirmed', { ...keyed, 'x-member-id': 'n' }, undefined, 403, 'OTHER_MEMBER'],
    ['it before the token', { cookie: 'sid=live', 'x-member-id': 'n' }, undefined, 403, 'OTHER_MEMBER'],
    ['no key', memberHeaders, {}, 400, 'IDEMPOTENCY_KEY_REQUIRED'],
    [
      'a key that is not a UUID',
      { ...memberHeaders, 'idempotency-key': '1' },
      {},
      400,
      'IDEMPOTENCY_KEY_REQUIRED',
    ],
    ['an invalid body', keyed, { amount: '1' }, 400, 'VALIDATION'],
  ])('reject %s', async (_what, headers, payload, status, code) => {
    expect(await post('/orders', headers, payload)).toMatchObject({ status, code })
    expect(placed).toEqual([])
    expect(httpApp.keys.lockedCount).toBe(0)
  })

  it('pass a valid order to the handler as parsed', async () => {
    const headers = { ...keyed, 'x-member-id': 'm' }
    expect(await post('/orders', headers, validOrder)).toMatchObject({ status: 201, body: { id: 'o' } })
    expect(placed).toEqual([validOrder])
    expect(httpApp.keys.requests).toEqual([['m', 'POST', '/api/orders', uuid, validOrder]])
    expect(httpApp.keys.lockedCount).toBe(0)
  })

  it('reject a foreign origin before the session is checked, except for GET', async () => {
    expect(await post('/auth/login', { origin: 'http://elsewhere.test' }, {})).toMatchObject({ code: 'CSRF' })
    expect(await post('/orders', { ...keyed, origin: 'null' }, validOrder)).toMatchObject({ status: 403 })
    const read = {
      method: 'GET',
      url: '/api/me',
      headers: { ...memberHeaders, origin: 'http://elsewhere.test' },
    }
    expect(await request(read as InjectOptions)).toMatchObject({ status: 200, body: { id: 'm' } })
  })

  it.each([
    ['the session has ended', 401, 'UNAUTHENTICATED'],
    ['the account was frozen', 423, 'ACCOUNT_FROZEN'],
  ])('reject a request if %s while its body came', async (what, status, code) => {
    await app.close()
    /** Asked when the head comes, and again once the body is there. */
    const asked = { session: 0, freeze: 0 }
    const isEnded = what === 'the session has ended'
    await open(() =>
      openHttpApp({
        authenticator: {
          ...singleMemberAuthenticator,
          findBySid: async (sid) =>
            isEnded && (asked.session += 1) > 1 ? null : singleMemberAuthenticator.findBySid(sid),
        },
        freezes: { frozenUntil: () => (!isEnded && (asked.freeze += 1) > 1 ? 5 : null) },
      }),
    )
    expect(await post('/orders', keyed, validOrder)).toMatchObject({ status, code })
    expect(placed).toEqual([])
    expect(httpApp.keys.lockedCount).toBe(0)
  })

  it.each([
    ['while its body came', 1],
    ['before', 0],
  ])('replay the answer of a key if the account was frozen %s', async (_when, passed) => {
    await app.close()
    let asked = 0
    httpApp = await openHttpApp({ freezes: { frozenUntil: () => ((asked += 1) > passed ? 5 : null) } })
    app = httpApp.app
    httpApp.keys.replay = null
    mount(app, orderRoutes.placeOrder, async () => ({ id: 'o' }) as never, { effectFindsKey: true })
    await app.ready()
    expect(await post('/orders', keyed, validOrder)).toMatchObject({ status: 423, code: 'ACCOUNT_FROZEN' })
    httpApp.keys.replay = { status: 201, body: { id: 'first' } }
    asked = 0
    const answer = await post('/orders', keyed, validOrder)
    expect(answer).toMatchObject({ status: 201, body: { id: 'first' } })
    expect(answer.headers['idempotent-replayed']).toBe('true')
    expect(httpApp.keys.lockedCount).toBe(0)
  })

  it('accept the own origin', async () => {
    const headers = { ...keyed, origin: 'http://venue.test:8080', host: 'venue.test:8080' }
    expect(await post('/orders', headers, validOrder)).toMatchObject({ status: 201 })
  })
})

describe('idempotency keys', () => {
  it('replay a stored answer without validation and handler', async () => {
    httpApp.keys.replay = {
      status: 422,
      body: { error: { code: 'INSUFFICIENT_BALANCE', requestId: 'first' } },
    }
    const answer = await post('/orders', keyed, {})
    expect(answer).toMatchObject({ status: 422, code: 'INSUFFICIENT_BALANCE' })
    expect(answer.headers['idempotent-replayed']).toBe('true')
    expect(placed).toEqual([])
  })

  it('are unlocked when the handler fails', async () => {
    onPlace = () => {
      throw new Error('inside')
    }
    expect(await post('/orders', keyed, validOrder)).toMatchObject({ status: 500, code: 'INTERNAL' })
    expect(httpApp.keys.lockedCount).toBe(0)
  })

  it('ignore case', async () => {
    const headers = { ...memberHeaders, 'idempotency-key': uuid.toUpperCase() }
    expect(await post('/practice/reset', headers)).toMatchObject({ status: 200, body: { total: uuid } })
  })

  it('are unlocked by a rate-limited order, and replays do not count against the rate', async () => {
    await app.close()
    await open(() => openHttpApp({ rateLimiter: createRateLimiter({ now: () => 0 }) }))
    for (let i = 0; i < 120; i++) await post('/orders', keyed, validOrder)
    expect(await post('/orders', keyed, validOrder)).toMatchObject({
      status: 429,
      error: { params: { retryAfterMs: 100 } },
    })
    expect(httpApp.keys.lockedCount).toBe(0)
    httpApp.keys.replay = { status: 201, body: { id: 'o' } }
    expect(await post('/orders', keyed, validOrder)).toMatchObject({ status: 201 })
  })
})

describe('idempotency keys that the effect finds', () => {
  const firstAnswer = { status: 201, body: { id: 'first' } }
  const openDeferred = async (context: Parameters<typeof openHttpApp>[0] = {}) => {
    await app.close()
    httpApp = await openHttpApp(context)
    app = httpApp.app
    placed = []
    mount(
      app,
      orderRoutes.placeOrder,
      async ({ body, reply }) => {
        placed.push(body)
        return httpApp.keys.replay ? replayStored(reply, httpApp.keys.replay) : ({ id: 'o' } as never)
      },
      { effectFindsKey: true },
    )
    await app.ready()
  }

  it('are replayed by the effect', async () => {
    await openDeferred()
    expect(await post('/orders', keyed, validOrder)).toMatchObject({ status: 201, body: { id: 'o' } })
    httpApp.keys.replay = firstAnswer
    const answer = await post('/orders', keyed, validOrder)
    expect(answer).toMatchObject(firstAnswer)
    expect(answer.headers['idempotent-replayed']).toBe('true')
    expect(placed).toHaveLength(2)
    expect(httpApp.keys.lockedCount).toBe(0)
  })

  it('are looked up before a request is rejected as invalid', async () => {
    await openDeferred()
    expect(await post('/orders', keyed, {})).toMatchObject({ status: 400, code: 'VALIDATION' })
    httpApp.keys.replay = firstAnswer
    expect(await post('/orders', keyed, {})).toMatchObject(firstAnswer)
    expect(placed).toEqual([])
    expect(httpApp.keys.lockedCount).toBe(0)
  })

  it('are looked up before a request is rate-limited, and replays do not count against the rate', async () => {
    await openDeferred({ rateLimiter: createRateLimiter({ now: () => 0 }) })
    httpApp.keys.replay = firstAnswer
    for (let i = 0; i < 60; i++) await post('/orders', keyed, i % 2 === 0 ? validOrder : {})
    httpApp.keys.replay = null
    for (let i = 0; i < 120; i++)
      expect(await post('/orders', keyed, validOrder)).toMatchObject({ status: 201 })
    expect(await post('/orders', keyed, validOrder)).toMatchObject({ status: 429 })
    httpApp.keys.replay = firstAnswer
    expect(await post('/orders', keyed, validOrder)).toMatchObject(firstAnswer)
    expect(httpApp.keys.lockedCount).toBe(0)
  })
})

it.each(['/api/%6frders', '/api/orders', '/%61pi/orders?'])(
  'an idempotency key sees the canonical path of %s',
  async (url) => {
    await request({ method: 'POST', url, headers: keyed, payload: validOrder })
    expect(httpApp.keys.requests).toEqual([['m', 'POST', '/api/orders', uuid, validOrder]])
  },
)

describe('validation', () => {
  it('reports one code per field, including unknown fields', async () => {
    const answer = await post('/orders', keyed, { ...validOrder, amount: '1', seconds: 'x', rate: 1 })
    expect(answer.error.fields).toEqual({ amount: 'AMOUNT_FORMAT', seconds: 'TYPE', rate: 'UNKNOWN_FIELD' })
  })

  it('treats a missing body as an empty one', async () => {
    expect((await post('/auth/login')).error.fields).toEqual({ account: 'REQUIRED', password: 'REQUIRED' })
  })

  it.each([
    ['broken JSON', { 'content-type': 'application/json' }, '{', 400, 'VALIDATION'],
    ['__proto__ in JSON', { 'content-type': 'application/json' }, '{"__proto__":{"a":1}}', 400, 'VALIDATION'],
    ['plain text', { 'content-type': 'text/plain' }, 'x', 415, 'MEDIA_TYPE'],
    ['no content type', {}, 'x', 415, 'MEDIA_TYPE'],
    [
      'JSON in UTF-16',
      { 'content-type': 'application/json; charset=utf-16' },
      Buffer.from('{"account":"a"}', 'utf16le'),
      415,
      'MEDIA_TYPE',
    ],
    [
      'JSON called UTF-16',
      { 'content-type': 'application/json;Charset="UTF-16LE"' },
      '{}',
      415,
      'MEDIA_TYPE',
    ],
    ['JSON in UTF-8', { 'content-type': 'application/json; charset=UTF-8' }, '{}', 400, 'VALIDATION'],
    [
      'a body that is too large',
      { 'content-type': 'application/json' },
      `"${'x'.repeat(70_000)}"`,
      413,
      'BODY_TOO_LARGE',
    ],
  ])('rejects %s', async (_what, headers, payload, status, code) => {
    const answer = await request({ method: 'POST', url: '/api/auth/login', headers, payload })
    expect(answer).toMatchObject({ status, code })
  })

  it('rejects a NUL in body, query and path', async () => {
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

  it('rejects fields in the body of a route without a body', async () => {
    expect(await post('/auth/logout', memberHeaders)).toMatchObject({ status: 204, body: undefined })
    const json = { ...memberHeaders, 'content-type': 'application/json' }
    expect(await post('/auth/logout', json)).toMatchObject({ status: 204 })
    expect((await post('/auth/logout', memberHeaders, { a: 1 })).error.fields).toEqual({ a: 'UNKNOWN_FIELD' })
  })

  it.each(['/time?at=1', '/me?memberId=other'])(
    'rejects a query of a route without a query: %s',
    async (url) => {
      const answer = await request({ method: 'GET', url: `/api${url}`, headers: memberHeaders })
      const [name] = (url.split('?')[1] ?? '').split('=')
      expect(answer).toMatchObject({
        status: 400,
        error: { code: 'VALIDATION', fields: { [name ?? '']: 'UNKNOWN_FIELD' } },
      })
    },
  )

  it('converts and validates the query', async () => {
    const get = (query: string) => request({ url: `/api/me/ledger${query}`, headers: memberHeaders })
    expect((await get('')).body.nextCursor).toBe('20')
    expect((await get('?limit=7')).body.nextCursor).toBe('7')
    expect((await get('?limit=0')).error.fields).toEqual({ limit: 'INVALID' })
    expect((await get('?limit=1&limit=2')).error.fields).toEqual({ limit: 'TYPE' })
    expect((await get('?other=1')).error.fields).toEqual({ other: 'UNKNOWN_FIELD' })
  })
})

describe('answers', () => {
  it('have the time, a request id and no-store', async () => {
    const { headers, body } = await request({ url: '/api/time' })
    expect(headers).toMatchObject({ 'server-time': String(httpApp.clock.now()), 'cache-control': 'no-store' })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(body).toEqual({ now: httpApp.clock.now() })
  })

  it('are 404 in JSON with the time for an unknown path', async () => {
    const answer = await request({ url: '/api/nothing' })
    expect(answer).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect(answer.headers['server-time']).toBe(String(httpApp.clock.now()))
    expect(answer.error.requestId).toBe(answer.headers['x-request-id'])
  })

  it.each(['/api/me/%zz', '/%', `/${'a'.repeat(3000)}`, '//api//time'])(
    'are 404 for the malformed path %s',
    async (url) => {
      const answer = await request({ url })
      expect(answer).toMatchObject({ status: 404, code: 'NOT_FOUND' })
      expect(answer.headers['server-time']).toBe(String(httpApp.clock.now()))
      expect(answer.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      })
    },
  )

  it.each(['/', '/api/time', '/api/orders'])('are 404 for TRACE %s', async (url) => {
    const answer = await app.inject({ method: 'TRACE' as 'GET', url, headers: { cookie: 'sid=live' } })
    expect(answer.statusCode).toBe(404)
    expect(answer.body).not.toContain('sid=live')
  })

  it('include the params of an error, and Retry-After', async () => {
    onPlace = () => {
      throw new ApiError('RATE_LIMITED', { params: { retryAfterMs: 1500 } })
    }
    const answer = await post('/orders', keyed, validOrder)
    expect(answer.error).toMatchObject({ code: 'RATE_LIMITED', params: { retryAfterMs: 1500 } })
    expect(answer.headers['retry-after']).toBe('2')
  })

  it('reveal nothing about an internal error', async () => {
    onPlace = () => {
      throw new Error('insert into member values ($1) params: 13800138000')
    }
    const answer = await post('/orders', keyed, validOrder)
    expect(answer.body).toEqual({ error: { code: 'INTERNAL', requestId: answer.headers['x-request-id'] } })
  })
})

it('logs what is refused for want of a right, reads too, without who or what', async () => {
  await app.close()
  const written: string[] = []
  const logger = createLogger('info', { write: (line) => void written.push(line) })
  app = (await openHttpApp({}, { logger })).app
  app.get('/desk/staff/:id', async () => {
    throw new ApiError('FORBIDDEN')
  })
  await request({ url: '/desk/staff/zhang_san', headers: memberHeaders })
  await request({ url: '/desk/nothing', headers: memberHeaders })
  expect(written.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'info', method: 'GET', route: '/desk/staff/:id', status: 403 },
  ])
  expect(written.join('')).not.toMatch(/zhang_san|live/)
})

it('logs what fails, of a route that keeps failing ever less often, and nothing of what goes well', async () => {
  await app.close()
  const written: string[] = []
  const logger = createLogger('info', { write: (line) => void written.push(line) })
  await open(() => openHttpApp({}, { logger }))
  await post('/orders', keyed, validOrder)
  await post('/orders', keyed, {})
  onPlace = () => {
    throw new ApiError('UNAVAILABLE')
  }
  for (let n = 0; n < 9; n += 1) {
    expect((await post('/orders', keyed, validOrder)).headers).toMatchObject({ 'retry-after': '1' })
  }
  const failure = { level: 'warn', method: 'POST', route: '/api/orders', status: 503 }
  expect(written.map((line) => JSON.parse(line))).toMatchObject(
    [1, 2, 4, 8].map((count) => ({ ...failure, count })),
  )
})

it('the OpenAPI description lists the mounted routes', async () => {
  const { paths } = app.swagger() as { paths: Record<string, Record<string, { requestBody?: object }>> }
  expect(Object.keys(paths)).toContain('/api/orders')
  expect(paths['/api/orders']?.['post']?.requestBody).toBeDefined()
})
