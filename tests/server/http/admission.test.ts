import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { orderRoutes } from '../../../contract/orders.ts'
import { productRoutes } from '../../../contract/products.ts'
import { authRoutes } from '../../../contract/auth.ts'
import { ledgerRoutes } from '../../../contract/ledger.ts'
import { memberRoutes } from '../../../contract/member.ts'
import { venueRoutes } from '../../../contract/venueConfig.ts'
import { createListener } from '../../../server/http/listener.ts'
import type { Listener } from '../../../server/http/listener.ts'
import { createRateLimiter } from '../../../server/http/rateLimiter.ts'
import type { RateLimiter } from '../../../server/http/rateLimiter.ts'
import { mount } from '../../../server/http/mount.ts'
import { manualClock } from '../../support/manualClock.ts'
import type { ManualClock } from '../../support/manualClock.ts'
import { memberHeaders, openHttpApp } from '../../support/httpApp.ts'

let clock: ManualClock
let limits: RateLimiter
let app: FastifyInstance
/** Calls that wait in their handler, by what lets each of them go on. */
let waiting: (() => void)[]
let tickCount: number

beforeEach(async () => {
  clock = manualClock()
  limits = createRateLimiter(clock)
  const shell = await openHttpApp({ clock, rateLimiter: limits })
  app = shell.app
  waiting = []
  tickCount = 1
  const wait = () => new Promise<void>((go) => waiting.push(go))
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
  await app.ready()
})
afterEach(async () => {
  for (const go of waiting.splice(0)) go()
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
const dead = { cookie: `sid=${'d'.repeat(43)}` }

describe('what counts against an address', () => {
  it.each([
    ['a refused session', '/api/me', visitorBurst],
    ['what is not there', '/nothing', visitorBurst],
    ['a file', '/file.js', visitorBurst],
    ['a wrong shape', '/api/products/A/ticks?limit=0', visitorBurst],
  ])('%s', async (_what, url, count) => {
    expect(await countPassed(url)).toBe(count)
    expect(await request('/api/time')).toBe(429)
    await clock.advance(1000)
    expect(await countPassed(url)).toBe(200)
  })

  it('a cookie that names no session costs its lookup too', async () => {
    expect(await countPassed('/api/time', dead)).toBe(Math.ceil(visitorBurst / 3))
  })

  it('calls of a session count against the session alone', async () => {
    expect(await countPassed('/api/me', memberHeaders)).toBe(100)
    expect(await countPassed('/api/time')).toBe(visitorBurst)
  })

  it('a call with a rate of its own takes from that alone', async () => {
    expect(await countPassed('/api/time')).toBe(visitorBurst)
    expect(await countPassed('/api/captcha')).toBe(60)
    await clock.advance(60_000)
    expect(await countPassed('/api/captcha')).toBe(60)
    expect(await countPassed('/api/time')).toBe(visitorBurst)
  })

  it('a session that is remembered passes an address that has spent everything', async () => {
    await app.close()
    const { app: next } = await openHttpApp({
      clock,
      rateLimiter: limits,
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

describe('what an answer costs', () => {
  it('a token per 200 ticks', async () => {
    tickCount = 5000
    expect(await countPassed('/api/products/A/ticks?afterSeq=0', memberHeaders)).toBe(4)
    await clock.advance(1000)
    expect(await countPassed('/api/products/A/ticks?afterSeq=0', memberHeaders)).toBe(1)
    // The debt of that answer is paid back first.
    await clock.advance(250)
    expect(await request('/api/me', memberHeaders)).toBe(429)
    await clock.advance(50)
    expect(await request('/api/me', memberHeaders)).toBe(200)
  })

  it('few ticks cost a call', async () => {
    tickCount = 200
    expect(await countPassed('/api/products/A/ticks?afterSeq=0', memberHeaders)).toBe(100)
  })
})

describe('calls in flight', () => {
  let big: FastifyInstance
  let front: Listener
  let port: number
  let asked: number
  beforeEach(async () => {
    big = (await openHttpApp({ clock, rateLimiter: limits })).app
    asked = 0
    // More than the buffers of a connection take.
    const bytes = Buffer.alloc(24 * 1024 * 1024)
    big.get('/big', { config: { costly: true } }, async (_request, reply) => {
      asked += 1
      return reply.send(bytes)
    })
    big.get('/unended', { config: { costly: true } }, async (_request, reply) => {
      asked += 1
      const stream = new Readable({ read: () => undefined })
      stream.push('some')
      return reply.send(stream)
    })
    await big.ready()
    front = createListener(clock, { gracePeriodMs: 0 })
    front.serve((request, response) => big.routing(request, response))
    port = (await front.listen(0, '127.0.0.1')).port
  })
  afterEach(async () => {
    await front.close()
    await big.close()
  })

  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: venue.test\r\n\r\n`
  /** A connection that asks for an answer and reads nothing. */
  const dial = (path: string) => {
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
    ['costly ones of an address', '/api/products/A/gaps', {}, 8],
    ['costly ones of a session', '/api/products/A/gaps', memberHeaders, 4],
    ['proofs of a session', '/api/orders/o/proof', memberHeaders, 4],
    ['any of an address', '/api/products/A', {}, 64],
    ['any of a session', '/api/me/assets', memberHeaders, 16],
  ])('%s are bounded', async (_what, url, headers, max) => {
    const started = Array.from({ length: max }, () => start(url, headers))
    await expect.poll(() => waiting.length).toBe(max)
    const late = await start(url, headers)
    expect(late.statusCode).toBe(429)
    expect(late.json()).toMatchObject({ error: { code: 'RATE_LIMITED', params: { retryAfterMs: 1000 } } })
    expect(late.headers['retry-after']).toBe('1')
    // Somebody else is not held up by it.
    const other = await app.inject({ url: '/api/time', remoteAddress: '203.0.113.9' })
    expect(other.statusCode).toBe(200)
    waiting.shift()?.()
    await started.shift()
    const again = start(url, headers)
    await expect.poll(() => waiting.length).toBe(max)
    for (const go of waiting.splice(0)) go()
    for (const answer of [...started, again]) expect((await answer).statusCode).toBe(200)
  })

  it('a closed connection gives its place back, one that does not read keeps it', async () => {
    const sockets = Array.from({ length: 8 }, () => dial('/big'))
    await expect.poll(() => asked).toBe(8)
    for (let i = 0; i < 5; i++) expect(await status()).toBe(429)
    for (const socket of sockets) socket.destroy()
    await expect.poll(status).toBe(200)
  })

  it('a connection that asks again before it has its answer gives every place back', async () => {
    const connections: Socket[] = []
    front.server.on('connection', (connection: Socket) => connections.push(connection))
    const sockets = Array.from({ length: 4 }, () => dial('/unended'))
    await Promise.all(sockets.map((socket) => once(socket, 'readable')))
    let received = 0
    front.server.on('request', () => {
      received += 1
    })
    for (const socket of sockets) socket.write(get('/unended'))
    await expect.poll(() => received).toBe(4)
    // Whatever came before this request is begun by now, or never will be.
    await fetch(`http://127.0.0.1:${port}/nothing`)
    for (const socket of sockets) socket.destroy()
    await expect.poll(() => connections.slice(0, 4).every(({ closed }) => closed)).toBe(true)
    const before = asked
    const again = Array.from({ length: 8 }, () => dial('/unended'))
    await expect.poll(() => asked).toBe(before + 8)
    for (const socket of again) socket.destroy()
  })
})
