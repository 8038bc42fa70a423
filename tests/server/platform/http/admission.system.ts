import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { orderRoutes } from '../../../../contract/orders.ts'
import { productRoutes } from '../../../../contract/products.ts'
import { authRoutes } from '../../../../contract/auth.ts'
import { ledgerRoutes } from '../../../../contract/ledger.ts'
import { memberRoutes } from '../../../../contract/member.ts'
import { venueRoutes } from '../../../../contract/venueConfig.ts'
import { serveDescription } from '../../../../server/platform/http/description.ts'
import { createListener, type Listener } from '../../../../server/platform/http/listener.ts'
import { createRateLimiter, type RateLimiter } from '../../../../server/platform/http/rateLimiter.ts'
import { mount } from '../../../../server/platform/http/mount.ts'
import { manualClock, type ManualClock } from '../../../support/manualClock.ts'
import { memberHeaders, openHttpApp } from '../../../support/httpApp.ts'

let clock: ManualClock
let rateLimiter: RateLimiter
let app: FastifyInstance
/** The functions that resume the requests waiting in their handler. */
let waiting: (() => void)[]
let tickCount: number

beforeEach(async () => {
  clock = manualClock()
  rateLimiter = createRateLimiter(clock)
  const httpApp = await openHttpApp({ clock, rateLimiter })
  app = httpApp.app
  waiting = []
  tickCount = 1
  const wait = () => new Promise<void>((resume) => waiting.push(resume))
  mount(app, venueRoutes.time, async () => ({ now: 0 }))
  mount(app, authRoutes.captcha, async () => ({ captchaId: 'c', svg: '' }))
  mount(app, memberRoutes.me, async () => ({}) as never)
  mount(app, ledgerRoutes.assets, async () => (await wait(), {}) as never)
  mount(app, productRoutes.ticks, async () => ({
    ticks: Array.from({ length: tickCount }, (_, i): [number, number, string, string] => [i, i, '1', '1']),
    complete: true,
    before: null,
  }))
  mount(app, productRoutes.gaps, async () => (await wait(), { items: [], nextCursor: null }))
  mount(app, productRoutes.product, async () => (await wait(), {}) as never)
  mount(app, orderRoutes.orderProof, async () => (await wait(), {}) as never)
  mount(app, orderRoutes.order, async () => ({ id: 'o' }) as never)
  app.get('/file.js', async () => 'file')
  serveDescription(app, '/long.json', () => ['x'.repeat(49_000)])
  await app.ready()
})
afterEach(async () => {
  for (const resume of waiting.splice(0)) resume()
  await app.close()
})

const visitorBurst = 2000

const request = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await app.inject({ url, headers } as InjectOptions)
  return answer.statusCode
}
/** How many of the same call pass before the first 429. */
async function countPassed(url: string, headers: Record<string, string> = {}): Promise<number> {
  for (let count = 0; count < 2 * visitorBurst; count++)
    if ((await request(url, headers)) === 429) return count
  return Number.POSITIVE_INFINITY
}
const unknownSession = { cookie: `sid=${'d'.repeat(43)}` }

describe('the rate of an address', () => {
  it.each([
    ['requests without a session', '/api/me', visitorBurst],
    ['requests for unknown paths', '/nothing', visitorBurst],
    ['requests for files', '/file.js', visitorBurst],
    ['invalid requests', '/api/products/A/ticks?limit=0', visitorBurst],
  ])('counts %s', async (_what, url, count) => {
    expect(await countPassed(url)).toBe(count)
    expect(await request('/api/time')).toBe(429)
    await clock.advance(1000)
    expect(await countPassed(url)).toBe(200)
  })

  it('charges a long description by its length', async () => {
    expect(await countPassed('/long.json')).toBe(visitorBurst / 5)
  })

  it('charges the lookup of a cookie without a session', async () => {
    expect(await countPassed('/api/time', unknownSession)).toBe(Math.ceil(visitorBurst / 3))
  })

  it('does not count requests of a session', async () => {
    expect(await countPassed('/api/me', memberHeaders)).toBe(100)
    expect(await countPassed('/api/time')).toBe(visitorBurst)
  })

  it('does not count requests to a route with its own rate', async () => {
    expect(await countPassed('/api/time')).toBe(visitorBurst)
    expect(await countPassed('/api/captcha')).toBe(120)
    await clock.advance(60_000)
    expect(await countPassed('/api/captcha')).toBe(120)
    expect(await countPassed('/api/time')).toBe(visitorBurst)
  })

  it('does not limit a cached session at an address without tokens', async () => {
    await app.close()
    const { app: next } = await openHttpApp({
      clock,
      rateLimiter: rateLimiter,
      authenticator: {
        findBySid: async () => ({ memberId: 'm', sessionId: 's', csrfHash: 'token' }),
        cachedSessionId: (sid) => (sid === 'live' ? 's' : null),
        csrfMatches: () => true,
      },
    })
    app = next
    mount(app, venueRoutes.time, async () => ({ now: 0 }))
    expect(await countPassed('/api/time')).toBe(visitorBurst)
    expect(await request('/api/time', memberHeaders)).toBe(200)
  })
})

describe('the cost of an answer', () => {
  it('is a token per 200 ticks', async () => {
    tickCount = 5000
    expect(await countPassed('/api/products/A/ticks?afterSeq=0', memberHeaders)).toBe(4)
    await clock.advance(1000)
    expect(await countPassed('/api/products/A/ticks?afterSeq=0', memberHeaders)).toBe(1)
    // The debt from that answer is paid back first.
    await clock.advance(250)
    expect(await request('/api/me', memberHeaders)).toBe(429)
    await clock.advance(50)
    expect(await request('/api/me', memberHeaders)).toBe(200)
  })

  it('is one token for few ticks', async () => {
    tickCount = 200
    expect(await countPassed('/api/products/A/ticks?afterSeq=0', memberHeaders)).toBe(100)
  })
})

describe('requests in flight', () => {
  let largeApp: FastifyInstance
  let listener: Listener
  let port: number
  let requestCount: number
  beforeEach(async () => {
    largeApp = (await openHttpApp({ clock, rateLimiter })).app
    requestCount = 0
    // More than the buffers of a connection hold.
    const bytes = Buffer.alloc(24 * 1024 * 1024)
    largeApp.get('/big', { config: { costly: true } }, async (_request, reply) => {
      requestCount += 1
      return reply.send(bytes)
    })
    largeApp.get('/unended', { config: { costly: true } }, async (_request, reply) => {
      requestCount += 1
      const stream = new Readable({ read: () => undefined })
      stream.push('some')
      return reply.send(stream)
    })
    await largeApp.ready()
    listener = createListener(clock, { gracePeriodMs: 0 })
    listener.serve((request, response) => largeApp.routing(request, response))
    port = (await listener.listen(0, '127.0.0.1')).port
  })
  afterEach(async () => {
    await listener.close()
    await largeApp.close()
  })

  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: venue.test\r\n\r\n`
  /** Opens a connection, sends a request and reads nothing. */
  const requestWithoutReading = (path: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.pause()
    socket.write(get(path))
    return socket
  }
  const status = async (): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${port}/big`)
    await answer.body?.cancel()
    return answer.status
  }

  const start = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

  it.each([
    ['costly requests of an address', '/api/products/A/gaps', {}, 8],
    ['costly requests of a session', '/api/products/A/gaps', memberHeaders, 4],
    ['proofs of a session', '/api/orders/o/proof', memberHeaders, 4],
    ['requests of an address', '/api/products/A', {}, 64],
    ['requests of a session', '/api/me/assets', memberHeaders, 16],
  ])('limits %s', async (_what, url, headers, max) => {
    const started = Array.from({ length: max }, () => start(url, headers))
    await expect.poll(() => waiting.length).toBe(max)
    const late = await start(url, headers)
    expect(late.statusCode).toBe(429)
    expect(late.json()).toMatchObject({ error: { code: 'RATE_LIMITED', params: { retryAfterMs: 1000 } } })
    expect(late.headers['retry-after']).toBe('1')
    // Another caller is not affected.
    const other = await app.inject({ url: '/api/time', remoteAddress: '203.0.113.9' })
    expect(other.statusCode).toBe(200)
    waiting.shift()?.()
    await started.shift()
    const again = start(url, headers)
    await expect.poll(() => waiting.length).toBe(max)
    for (const resume of waiting.splice(0)) resume()
    for (const answer of [...started, again]) expect((await answer).statusCode).toBe(200)
  })

  it('are released when the connection closes, not while the client does not read', async () => {
    const sockets = Array.from({ length: 8 }, () => requestWithoutReading('/big'))
    await expect.poll(() => requestCount).toBe(8)
    for (let i = 0; i < 5; i++) expect(await status()).toBe(429)
    for (const socket of sockets) socket.destroy()
    await expect.poll(status).toBe(200)
  })

  it('are all released if a connection sends a request before it has its answer', async () => {
    const connections: Socket[] = []
    listener.server.on('connection', (connection: Socket) => connections.push(connection))
    const sockets = Array.from({ length: 4 }, () => requestWithoutReading('/unended'))
    await Promise.all(sockets.map((socket) => once(socket, 'readable')))
    let received = 0
    listener.server.on('request', () => {
      received += 1
    })
    for (const socket of sockets) socket.write(get('/unended'))
    await expect.poll(() => received).toBe(4)
    // Any request before this one has started by now, or never will.
    await fetch(`http://127.0.0.1:${port}/nothing`)
    for (const socket of sockets) socket.destroy()
    await expect.poll(() => connections.slice(0, 4).every(({ closed }) => closed)).toBe(true)
    const before = requestCount
    const again = Array.from({ length: 8 }, () => requestWithoutReading('/unended'))
    await expect.poll(() => requestCount).toBe(before + 8)
    for (const socket of again) socket.destroy()
  })
})
