import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { withDatabase } from '../../../support/withVenue.ts'
import { openPolling } from './rawPolling.ts'
import { clientFrame, openRawSocket } from '../../../support/rawSocket.ts'
import { openTestVenue, type TestVenue, type TestVenueOptions } from '../../../support/testVenue.ts'

const database = await withDatabase()

let venue: TestVenue
let url: string
async function open(options: TestVenueOptions = {}): Promise<void> {
  venue = await openTestVenue(database, {
    productIds: ['A', 'B'],
    ...options,
    operatorConfig: { longPolling: true },
  })
  ;({ url } = await venue.listen())
}
afterEach(async () => {
  expect(venue.reportedErrors).toEqual([])
  await venue.close()
})

const connect = (headers: Record<string, string> = {}) => venue.connect(headers, { transports: ['polling'] })
const sockets = (): number => venue.realtime.counts().sockets
/** A session that has joined the namespace and received the hello. */
async function join(headers: Record<string, string> = {}) {
  const session = await openPolling(url, headers)
  expect(await session.post(['40'], headers)).toBe(200)
  // The acknowledgement may come by itself, before what is gathered.
  let received = ''
  while (!received.includes('hello')) received += (await session.poll()).packets.join('')
  return session
}

describe('events over long polling', () => {
  it('are those of a WebSocket, complete and in order', async () => {
    await open()
    const [polling, webSocket] = [await connect(), await venue.connect()]
    for (const client of [polling, webSocket])
      expect(await client.request('subscribe', { products: ['A'] })).toMatchObject({
        ok: true,
        heads: { A: { seq: 0 } },
      })
    for (let n = 0; n < 200; n++) {
      venue.market.flushPrices({ A: [10_000 + n, 10_001 + n], B: [10_000] })
      if (n % 20 === 0) await venue.clock.advance(1000)
      if (n % 50 === 0) await polling.sync()
    }
    venue.market.flushPrices({ A: [1] })
    await Promise.all([polling.sync(), webSocket.sync()])
    expect(polling.received).toEqual(webSocket.received)
    expect(polling.frames().flatMap(({ blocks }) => blocks).length).toBeGreaterThan(200)
  })

  it('reach the member of the session, in the order in which they were sent', async () => {
    await open()
    const member = await venue.createMember()
    const client = await connect({ cookie: `sid=${member.sid}` })
    const visitor = await connect()
    for (let n = 0; n < 300; n++) venue.bus.emit(member.id, 'message', { n })
    await Promise.all([client.sync(), visitor.sync()])
    expect(client.eventsOf('message')).toEqual(Array.from({ length: 300 }, (_, n) => ({ n })))
    expect(visitor.eventsOf('message')).toEqual([])
  })

  it('of one turn are one answer, which is not cached and not compressed', async () => {
    await open()
    const session = await join()
    await session.post(['420["subscribe",{"products":["A"]}]'])
    await session.poll()
    const answer = session.poll()
    for (let n = 0; n < 50; n++) venue.market.flushPrices({ A: [10_000 + n] })
    const { packets, response } = await answer
    expect(packets).toHaveLength(50)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('content-encoding')).toBeNull()
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('server-time')).toBe(String(venue.clock.now()))
  })
})

describe('a session of long polling', () => {
  it('ends if the client does not fetch what was sent', async () => {
    await open({ bufferedMaxBytes: 20_000 })
    const session = await join()
    await session.post(['420["subscribe",{"products":["A"]}]'])
    expect(sockets()).toBe(1)
    for (let n = 0; sockets() === 1 && n < 2000; n++) venue.market.flushPrices({ A: [10_000 + n] })
    expect(venue.realtime.counts()).toMatchObject({ sockets: 0, terminated: 1 })
    const { status, packets } = await session.poll()
    expect([status, packets]).toEqual([400, ['{"code":1,"message":"Session ID unknown"}']])
  })

  it('ends if the client requests without fetching the answers', async () => {
    await open({ bufferedMaxBytes: 20_000, productIds: Array.from({ length: 60 }, (_, n) => `P${n}`) })
    const session = await join()
    const products = JSON.stringify(Array.from({ length: 60 }, (_, n) => `P${n}`))
    await session.post(Array.from({ length: 5 }, (_, n) => `42${n}["subscribe",{"products":${products}}]`))
    await expect.poll(sockets).toBe(0)
    expect((await session.poll()).status).toBe(400)
  })

  it('ends with the session of the member, which is told first, also without the cookie', async () => {
    await open()
    const member = await venue.createMember()
    const cookie = { cookie: `sid=${member.sid}` }
    const client = await connect(cookie)
    const session = await join(cookie)
    const { sessionId } = (await venue.sessions.findBySid(member.sid))!
    const ended = new Promise((resolve) => client.socket.once('disconnect', resolve))
    await venue.sessions.end(member.id, sessionId, 'revoked')
    expect(await ended).toBe('io server disconnect')
    expect(client.eventsOf('session')).toEqual([{ reason: 'revoked' }])
    expect(sockets()).toBe(0)
    const { packets } = await session.poll({})
    expect(packets).toEqual(['42["session",{"reason":"revoked"}]', '41'])
    venue.bus.emit(member.id, 'message', { n: 1 })
    await expect.poll(async () => (await session.poll({})).packets.join('')).not.toContain('message')
  })

  it('is of the cookie that opened it', async () => {
    await open()
    const [member, other] = [await venue.createMember(), await venue.createMember()]
    const session = await join({ cookie: `sid=${member.sid}` })
    for (const headers of [{}, { cookie: `sid=${other.sid}` }] as Record<string, string>[]) {
      expect((await session.poll(headers)).status).toBe(403)
      expect(await session.post(['3'], headers)).toBe(403)
    }
    expect(await session.post(['420["clock",1]'])).toBe(200)
    expect((await session.poll()).packets[0]).toMatch(/^430/)
  })

  it('of a visitor may be ended after a log-in', async () => {
    await open()
    const member = await venue.createMember()
    const session = await join()
    expect(await session.post(['1'], { cookie: `sid=${member.sid}` })).toBe(200)
    expect(sockets()).toBe(0)
  })

  it('ends with its connection, and with two polls at once', async () => {
    await open()
    const session = await join()
    const gone = new AbortController()
    const polled = fetch(session.address, { signal: gone.signal }).catch(() => 'aborted')
    await expect.poll(() => Promise.race([polled, Promise.resolve('waits')])).toBe('waits')
    expect((await fetch(session.address)).status).toBe(400)
    gone.abort()
    await polled
    await expect.poll(sockets).toBe(0)
  })

  it('is not upgraded, and no WebSocket takes the place of another', async () => {
    await open()
    const session = await join()
    expect(session.upgrades).toEqual([])
    const sid = new URL(session.address).searchParams.get('sid')
    const { tcp, first } = await openRawSocket(url, [], `&sid=${sid}`)
    tcp.destroy()
    expect(first).toMatch(/^HTTP\/1.1 400 /)
    expect(await session.post(['420["clock",1]'])).toBe(200)
  })

  it('that another node has is refused, and the client connects again', async () => {
    await open()
    const client = await venue.connect(
      {},
      { transports: ['polling'], reconnection: true, reconnectionDelay: 1 },
    )
    await client.sync()
    const lost = new Promise((resolve) => client.socket.once('disconnect', resolve))
    const again = new Promise((resolve) => client.socket.once('hello', resolve))
    Reflect.set(client.socket.io.engine.transport.query, 'sid', 'of-another-node')
    venue.realtime.publishNotice({ siteStatus: 'maintenance', until: null })
    expect(await lost).toBe('transport error')
    await again
    await client.sync()
  })

  it('leaves with the namespace', async () => {
    await open()
    const session = await join()
    await session.post(['41'])
    await expect.poll(sockets).toBe(0)
    expect((await session.poll()).status).toBe(400)
  })

  it('of a venue that stops ends with all that was sent, and the client comes back by itself', async () => {
    await open()
    const client = await venue.connect(
      {},
      { transports: ['polling'], reconnection: true, reconnectionDelay: 1 },
    )
    const closed = new Promise<string>((resolve) => client.socket.once('disconnect', resolve))
    await client.sync()
    venue.realtime.publishNotice({ siteStatus: 'maintenance', until: null })
    venue.realtime.close()
    expect(await closed).toBe('transport close')
    expect(client.eventsOf('notice')).toHaveLength(1)
    expect(client.socket.active).toBe(true)
    const again = await fetch(`${url}/socket.io/?EIO=4&transport=polling`)
    expect([again.status, again.headers.get('connection')]).toEqual([503, 'close'])
  })
})

describe('what a session of long polling may send', () => {
  it.each([
    ['a hundred packets a second', Array.from({ length: 101 }, () => '3')],
    ['packets of the default namespace', ['42/other,["x"]']],
  ])('is %s', async (_what, packets) => {
    await open()
    const session = await join()
    await session.post(packets).catch(() => 0)
    await expect.poll(sockets).toBe(0)
  })

  it('is 64 KiB a second', async () => {
    await open()
    const session = await join()
    const post = () => session.post([`42["x","${'x'.repeat(15_000)}"]`]).catch(() => 0)
    const statuses = [await post(), await post(), await post(), await post()]
    expect(statuses).toEqual([200, 200, 200, 200])
    expect(await post()).not.toBe(200)
    expect(sockets()).toBe(0)
  })

  it('is 16 KiB at once', async () => {
    await open()
    const session = await join()
    expect(await session.post([`42["x","${'x'.repeat(17_000)}"]`])).toBe(413)
  })

  it('is a hundred requests a second, whatever the others behind its address request', async () => {
    await open({ settings: { rateLimits: true } })
    const session = await join()
    const others = async (): Promise<number> => (await venue.app.inject('/api/time')).statusCode
    while ((await others()) !== 429);
    for (let n = 0; n < 45; n++) {
      expect(await session.post(['420["clock",1]'])).toBe(200)
      expect((await session.poll()).status).toBe(200)
    }
    expect(sockets()).toBe(1)
    const statuses: number[] = []
    for (let n = 0; n < 10; n++) statuses.push(await session.post(['3']))
    expect(statuses).toContain(429)
    expect(sockets()).toBe(0)
  })
})

describe('a handshake of long polling', () => {
  it.each([
    ['a foreign origin', { origin: 'http://elsewhere.test' }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
  ])('is refused to %s', async (_who, headers) => {
    await open()
    await expect(openPolling(url, headers)).rejects.toThrow('403')
  })

  it('counts as a socket of its address or session as long as the session lasts', async () => {
    await open({ settings: { rateLimits: true } })
    const { sid } = await venue.createMember()
    const cookie = { cookie: `sid=${sid}` }
    const sessions = []
    for (let n = 0; n < 10; n++) sessions.push(await join(cookie))
    const tooMany = await openPolling(url, cookie)
      .then(async (session) => {
        await session.post(['40'])
        return session.poll()
      })
      .then(
        ({ status, packets }) => (status === 200 ? packets.join() : status),
        (error: Error) => error.message,
      )
    expect(tooMany).not.toContain('hello')
    expect(sockets()).toBe(10)
    await sessions[0]!.post(['1'])
    expect(sockets()).toBe(9)
    await join(cookie)
    expect(sockets()).toBe(10)
    const statuses: string[] = []
    for (let n = 0; n < 201; n++)
      statuses.push(
        await openPolling(url).then(
          () => '200',
          (error: Error) => error.message.slice(0, 3),
        ),
      )
    expect(statuses.at(-1)).toBe('429')
    expect(new Set(statuses.slice(0, 199))).toEqual(new Set(['200']))
  })

  it('counts as a socket with a header that asks for an upgrade, too', async () => {
    await open({ settings: { rateLimits: true } })
    const statuses = new Set<number | undefined>()
    for (let n = 0; n < 250 && !statuses.has(429); n++) {
      const [answer] = (await once(
        get(`${url}/socket.io/?EIO=4&transport=polling`, { headers: { upgrade: 'x', connection: 'close' } }),
        'response',
      )) as [IncomingMessage]
      answer.resume()
      statuses.add(answer.statusCode)
    }
    expect(statuses).toEqual(new Set([200, 429]))
  })

  it('that is refused does not count as a socket', async () => {
    await open({ settings: { rateLimits: true } })
    for (let n = 0; n < 250; n++)
      await expect(openPolling(url, { origin: 'http://elsewhere.test' })).rejects.toThrow('403')
    await join()
  })
})

it('a venue that does not allow it refuses it', async () => {
  venue = await openTestVenue(database)
  ;({ url } = await venue.listen())
  await expect(openPolling(url)).rejects.toThrow('400 {"code":0,"message":"Transport unknown"}')
  expect((await venue.app.inject('/api/config')).json()).not.toHaveProperty('longPolling')
})

it('a venue that allows it says so, and serves WebSockets as before', async () => {
  await open()
  expect((await venue.app.inject('/api/config')).json()).toMatchObject({ longPolling: true })
  const { tcp, first } = await openRawSocket(url)
  expect(first).toMatch(/^HTTP\/1.1 101 /)
  tcp.write(clientFrame('40'))
  await expect.poll(sockets).toBe(1)
  tcp.destroy()
  await expect.poll(sockets).toBe(0)
})
