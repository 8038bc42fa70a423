import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { epochMs } from '../../../contract/units.ts'
import { orderRoutes } from '../../../contract/orders.ts'
import { productRoutes } from '../../../contract/products.ts'
import { authRoutes } from '../../../contract/auth.ts'
import { ledgerRoutes } from '../../../contract/ledger.ts'
import { memberRoutes } from '../../../contract/member.ts'
import { venueRoutes } from '../../../contract/venueConfig.ts'
import { createClient, type ClientOptions } from '../../../src/api/client.ts'
import { createEvidence } from '../../../src/state/evidence.ts'
import { createOfflineStore } from '../../../src/state/offlineStore.ts'
import { memoryKvStore } from '../../support/memoryKvStore.ts'
import { sampleOrder } from '../../support/sampleOrder.ts'
import { apiForStreams } from '../../../src/api/streamsApi.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A server with one answer, and a client connected to it. */
async function setupClient(
  answer: RequestListener,
  token: string | null = 'csrf',
  { timeoutMs = 5000, ...more }: Partial<ClientOptions> = {},
) {
  const seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
      answer(request, response)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closing.push(
    () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  )
  const onEnded = vi.fn()
  const call = createClient({
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    session: { token: () => token, memberId: () => 'm2', onEnded },
    timeoutMs,
    ...more,
  })
  return { call, seen, onEnded }
}
const json = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
  response
    .writeHead(status, { 'content-type': 'application/json', 'server-time': '1700000000123', ...headers })
    .end(JSON.stringify(body))
const errorBody = (code: string, more = {}) => ({ error: { code, requestId: 'r1', ...more } })

describe('createClient', () => {
  it('returns the parsed answer, and the venue’s time', async () => {
    const { call, seen } = await setupClient((_, response) => json(response, 200, { now: 5, extra: 1 }))
    expect(await call(venueRoutes.time, {})).toEqual({ ok: true, value: { now: 5 }, at: 1_700_000_000_123 })
    expect([seen[0]?.method, seen[0]?.url]).toEqual(['GET', '/api/time'])
  })

  it('sends parameters, queries, bodies, the token and the key', async () => {
    const { call, seen } = await setupClient((_, response) => json(response, 200, {}))
    await call(productRoutes.candles, { params: { id: 'A/B' }, query: { tf: '1m', limit: '3' } })
    await call(ledgerRoutes.resetPractice, {}, { key: 'k-1' })
    await call(memberRoutes.patchMe, { body: { nickname: 'x' } })
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /api/products/A%2FB/candles?tf=1m&limit=3',
      'POST /api/practice/reset',
      'PATCH /api/me',
    ])
    expect(seen[0]?.headers['x-csrf-token']).toBeUndefined()
    expect(seen[1]?.headers).toMatchObject({ 'x-csrf-token': 'csrf', 'idempotency-key': 'k-1' })
    expect(seen[2]).toMatchObject({ body: '{"nickname":"x"}' })
  })

  it('names the member for whom a form was opened, to the venue that may have another session', async () => {
    const { call, seen } = await setupClient((_, response) => json(response, 200, {}))
    await call(memberRoutes.me, {})
    await call(ledgerRoutes.resetPractice, {}, { key: 'k-1' })
    await call(ledgerRoutes.resetPractice, {}, { key: 'k-1', openedFor: 'm1' })
    expect(seen.map(({ headers }) => headers['x-member-id'])).toEqual([undefined, 'm2', 'm1'])
  })

  it('takes an answer that was requested early, once, and cancels it with the call', async () => {
    const early = { answer: Promise.resolve(Response.json({ now: 7 })), cancel: vi.fn() }
    const answers = [early]
    const asked: string[] = []
    const { call, seen } = await setupClient((_, response) => json(response, 200, { now: 5 }), 'csrf', {
      takeEarly: (address) => (asked.push(new URL(address).pathname), answers.pop()),
    })
    const controller = new AbortController()
    const first = call(venueRoutes.time, {}, { signal: controller.signal })
    controller.abort()
    await first
    expect(early.cancel).toHaveBeenCalledOnce()
    expect(seen).toEqual([])
    expect(await call(venueRoutes.time, {})).toMatchObject({ ok: true, value: { now: 5 } })
    await call(ledgerRoutes.resetPractice, {}, { key: 'k-1' })
    expect(asked).toEqual(['/api/time', '/api/time'])
  })

  it('sends no member call without a token', async () => {
    const { call, seen } = await setupClient((_, response) => json(response, 200, {}), null)
    expect(await call(memberRoutes.me, {})).toMatchObject({
      ok: false,
      failure: { kind: 'rejected', status: 401, code: 'UNAUTHENTICATED' },
    })
    expect(seen).toEqual([])
  })

  it('returns a rejection with its parameters, fields and time', async () => {
    const { call, onEnded } = await setupClient((_, response) =>
      json(
        response,
        400,
        errorBody('VALIDATION', { params: { max: '5.00' }, fields: { amount: 'AMOUNT_MAX' } }),
      ),
    )
    expect(await call(venueRoutes.time, {})).toEqual({
      ok: false,
      failure: {
        kind: 'rejected',
        status: 400,
        code: 'VALIDATION',
        params: { max: '5.00' },
        fields: { amount: 'AMOUNT_MAX' },
        at: 1_700_000_000_123,
      },
    })
    expect(onEnded).not.toHaveBeenCalled()
  })

  it('ends the session if the venue has none, but not for a wrong password', async () => {
    const loggedOut = await setupClient((_, response) => json(response, 401, errorBody('UNAUTHENTICATED')))
    await loggedOut.call(memberRoutes.me, {})
    expect(loggedOut.onEnded).toHaveBeenCalledTimes(1)
    const wrong = await setupClient((_, response) => json(response, 401, errorBody('BAD_CREDENTIALS')))
    await wrong.call(authRoutes.login, { body: { account: 'a', password: 'b' } })
    expect(wrong.onEnded).not.toHaveBeenCalled()
  })

  it('accepts 204 as an answer without a body', async () => {
    const { call } = await setupClient((_, response) => response.writeHead(204).end())
    expect(await call(authRoutes.logout, {})).toMatchObject({ ok: true, value: undefined })
  })

  it.each<[string, RequestListener]>([
    ['an answer outside the schema', (_, response) => json(response, 200, { now: 'soon' })],
    [
      'a page of a proxy',
      (_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>'),
    ],
    ['text in place of JSON', (_, response) => response.writeHead(200).end('{"now":')],
    ['no body at all', (_, response) => response.writeHead(200).end()],
  ])('returns broken for %s', async (_, answer) => {
    const { call } = await setupClient(answer)
    expect(await call(venueRoutes.time, {})).toEqual({ ok: false, failure: { kind: 'broken' } })
  })

  it('returns offline for a dead line', async () => {
    const { call } = await setupClient((request) => request.socket.destroy())
    expect(await call(venueRoutes.time, {})).toEqual({ ok: false, failure: { kind: 'offline' } })
  })

  it('times out if headers or the body do not arrive', async () => {
    const noHeaders = await setupClient(() => undefined, null, { timeoutMs: 50 })
    expect(await noHeaders.call(venueRoutes.time, {})).toEqual({ ok: false, failure: { kind: 'timeout' } })
    const noBody = await setupClient((_, response) => void response.writeHead(200).write('{'), null, {
      timeoutMs: 50,
    })
    expect(await noBody.call(venueRoutes.time, {})).toEqual({ ok: false, failure: { kind: 'timeout' } })
  })

  it('never retries', async () => {
    const { call, seen } = await setupClient((_, response) => json(response, 503, errorBody('UNAVAILABLE')))
    await call(venueRoutes.time, {})
    expect(seen).toHaveLength(1)
  })
})

const emptyOfflineStore = () =>
  createOfflineStore({ kvStore: memoryKvStore(), memberId: () => undefined, now: () => 0 })

const noEvidence = { recordOrder: async () => undefined }

describe('apiForStreams', () => {
  it('stores answers for the requesting member, but not for another who has logged in meanwhile', async () => {
    let member = 'anna'
    const kvStore = memoryKvStore()
    const offline = createOfflineStore({ kvStore, memberId: () => member, now: () => 0 })
    const { call } = await setupClient((_, response) => json(response, 200, sampleOrder()))
    const { order } = apiForStreams(call, offline, noEvidence)
    const late = order('o1')
    member = 'ben'
    await late
    expect(kvStore.entries.size).toBe(0)
    await order('o1')
    expect(await offline.order('o1')).toEqual({ value: sampleOrder(), at: 1_700_000_000_123 })
  })

  it('rejects with the failure', async () => {
    const { call } = await setupClient((_, response) => json(response, 404, errorBody('NOT_FOUND')))
    await expect(apiForStreams(call, emptyOfflineStore(), noEvidence).order('x')).rejects.toMatchObject({
      kind: 'rejected',
      status: 404,
      code: 'NOT_FOUND',
      at: 1_700_000_000_123,
    })
  })

  it('fetches positions page by page', async () => {
    const { call, seen } = await setupClient((request, response) =>
      json(response, 200, {
        items: [],
        nextCursor: request.url?.includes('cursor=') === true ? null : 'c 1',
      }),
    )
    expect(await apiForStreams(call, emptyOfflineStore(), noEvidence).positions()).toEqual([])
    expect(seen.map(({ url }) => url)).toEqual([
      '/api/orders?tab=positions&limit=100',
      '/api/orders?tab=positions&limit=100&cursor=c+1',
    ])
  })

  it('sends an order with its key', async () => {
    const { call, seen } = await setupClient((_, response) => json(response, 422, errorBody('FEED_STALE')))
    const order = {
      productId: 'GC',
      direction: 'up',
      amount: '1.00',
      seconds: 120,
      rateBp: 8000,
      validUntil: epochMs(9),
    } as const
    await expect(
      apiForStreams(call, emptyOfflineStore(), noEvidence).place('key-1', order),
    ).rejects.toMatchObject({
      code: 'FEED_STALE',
    })
    expect(seen[0]).toMatchObject({ method: orderRoutes.placeOrder.method, body: JSON.stringify(order) })
    expect(seen[0]?.headers['idempotency-key']).toBe('key-1')
  })

  it.each([
    ['leaves out the receipt', {}],
    ['names another key', { key: 'key-2', receipt: 'r', receiptSalt: 's' }],
  ])('keeps what the member confirmed if the venue’s first answer %s', async (_, part) => {
    const { productId, direction, seconds, rateBp } = sampleOrder()
    const draft = { productId, direction, seconds, rateBp, amount: '10.00', validUntil: epochMs(9) }
    const venueVersion = sampleOrder({ key: 'key-1', amount: '99.00', direction: 'down', ...part })
    const { call } = await setupClient((_, response) => json(response, 200, venueVersion))
    for (const method of ['place', 'orderByKey'] as const) {
      const parts = { kvStore: memoryKvStore(), memberId: () => 'anna', now: () => 0 }
      const inFlight = new Map([['key-1', draft]])
      const evidence = createEvidence({ ...parts, confirmed: (key) => inFlight.get(key) }, () => undefined)
      const api = apiForStreams(call, emptyOfflineStore(), evidence)
      await (method === 'place' ? api.place('key-1', draft, undefined) : api.orderByKey('key-1'))
      inFlight.clear()
      await evidence.recordOrder(venueVersion, 2)
      expect((await evidence.get('o1')).agreed).toMatchObject({ amount: '10.00', direction: 'up' })
    }
  })
})
