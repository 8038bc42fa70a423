import type { Socket as TcpSocket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withDatabase } from '../../../support/withVenue.ts'
import { driveFanout } from '../../../scenarios/fanout.ts'
import { clientFrame, openRawSocket } from '../../../support/rawSocket.ts'
import { openTestVenue, type TestVenue, type TestVenueOptions } from '../../../support/testVenue.ts'

const database = await withDatabase()

let venue: TestVenue
let url: string
const rawSockets: TcpSocket[] = []
const closeRawSockets = (): void => {
  for (const socket of rawSockets.splice(0)) socket.destroy()
}
const open = async (options: TestVenueOptions): Promise<void> => {
  venue = await openTestVenue(database, options)
  ;({ url } = await venue.listen())
}
/** One venue for the tests of a group; each of them begins without a socket. */
function openForGroup(): void {
  beforeAll(() => open({ productIds: ['A', 'B'] }))
  afterEach(async () => {
    closeRawSockets()
    await expect.poll(() => venue.realtime.counts().sockets, { interval: 5 }).toBe(0)
  })
  afterAll(() => venue.close())
}

async function connectRaw(headers: string[]): Promise<{ tcp: TcpSocket; first: string }> {
  const connection = await openRawSocket(url, headers)
  rawSockets.push(connection.tcp)
  return connection
}

describe('upgrade', () => {
  openForGroup()

  it.each([
    ['rejects a foreign origin', 'Origin: http://elsewhere.test', '400'],
    ['accepts a request without an origin', 'X-Tool: 1', '101'],
  ])('%s', async (_what, header, status) => {
    const { first } = await connectRaw([header])
    expect(first).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  it('accepts the own origin and sends the time', async () => {
    const { first } = await connectRaw([`Origin: ${url}`])
    expect(first).toMatch(/^HTTP\/1.1 101 /)
    expect(first).toContain(`Server-Time: ${venue.clock.now()}`)
    expect(first).not.toMatch(/permessage-deflate/i)
  })

  it('rejects transports other than WebSocket', async () => {
    await expect(venue.connect({}, { transports: ['polling'] })).rejects.toThrow()
    const answer = await fetch(`${url}/socket.io/?EIO=4&transport=polling`)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('server-time')).toBe(String(venue.clock.now()))
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })
})

it('terminates a socket that does not read, without loss for the others', async () => {
  const { terminated, missed, stalledMs } = await driveFanout(20, 1, 10)
  expect({ terminated, missed, received: stalledMs.length }).toEqual({
    terminated: 1,
    missed: 0,
    received: 200,
  })
})

describe('events of a socket', () => {
  openForGroup()

  it('are rejected above 20 per second and terminate the socket if they do not stop', async () => {
    const client = await venue.connect()
    const subscribe = () => client.request<{ code?: string }>('subscribe', { products: ['A'] })
    const answers = await Promise.all(Array.from({ length: 60 }, subscribe))
    expect(answers.filter(({ code }) => code === 'RATE_LIMITED')).toHaveLength(20)
    await venue.clock.advance(1000)
    const next = await Promise.all(Array.from({ length: 30 }, subscribe))
    expect(next.filter(({ code }) => code === 'RATE_LIMITED')).toHaveLength(10)
    for (let i = 0; i < 300; i++) client.socket.emit('anything', i)
    await expect.poll(() => client.socket.connected).toBe(false)
  })

  it('terminate the socket if one is larger than 16 KiB', async () => {
    const client = await venue.connect()
    client.socket.emit('subscribe', { products: ['x'.repeat(17_000)] })
    await expect.poll(() => client.socket.connected).toBe(false)
  })

  it('are ignored if they are malformed or unknown', async () => {
    const client = await venue.connect()
    client.socket.emit('subscribe')
    client.socket.emit('subscribe', { products: ['A'] })
    client.socket.emit('unsubscribe', 1)
    client.socket.emit('order', { productId: 'A' })
    client.socket.emit('clock', { toString: 1 }, 'no function')
    await client.sync()
    expect(venue.realtime.counts()).toMatchObject({ sockets: 1, subscriptionGroups: 0 })
    client.socket.disconnect()
  })
})

describe('inbound limit', () => {
  openForGroup()

  const frames = {
    'a pong of Engine.IO': clientFrame('3'),
    'an empty frame': clientFrame(''),
    'an unexpected acknowledgement': clientFrame('431[]'),
    'a request': clientFrame('420["clock",1]'),
    'a ping of the WebSocket': Buffer.from([0x89, 0x80, 0, 0, 0, 0]),
    'a pong of the WebSocket': Buffer.from([0x8a, 0x80, 0, 0, 0, 0]),
    'an empty continuation frame': Buffer.from([0x00, 0x80, 0, 0, 0, 0]),
  }
  /** A connected socket; the handshake has used one of its hundred frames. */
  async function connectOpen(): Promise<{ tcp: TcpSocket; closed: Promise<void> }> {
    const { tcp } = await connectRaw([])
    tcp.resume()
    const closed = new Promise<void>((resolve) => tcp.once('close', () => resolve()))
    tcp.write(clientFrame('40'))
    await expect.poll(() => venue.realtime.counts().sockets).toBe(1)
    return { tcp, closed }
  }

  it.each(Object.entries(frames))(
    'closes the socket after a hundred frames in a second: %s',
    async (what, frame) => {
      const { tcp, closed } = await connectOpen()
      // A continuation frame needs a first frame, which counts too.
      const firstFrame = what.includes('continuation') ? [Buffer.from([0x01, 0x80, 0, 0, 0, 0])] : []
      tcp.write(
        Buffer.concat([...firstFrame, ...Array.from({ length: 99 - firstFrame.length }, () => frame)]),
      )
      tcp.write(clientFrame('40'))
      await closed
      expect(venue.realtime.counts().sockets).toBe(0)
    },
  )

  it('allows a hundred frames, and a hundred more a second later', async () => {
    const { tcp } = await connectOpen()
    const receiveAnswers = (count: number) => {
      let received = ''
      tcp.on('data', (data) => (received += data.toString('latin1')))
      return expect.poll(() => received.match(/43\d+\[/g)?.length ?? 0).toBe(count)
    }
    const requestsOf = (count: number) =>
      Buffer.concat(Array.from({ length: count }, (_, i) => clientFrame(`42${i}["clock",1]`)))
    tcp.write(requestsOf(99))
    await receiveAnswers(99)
    await venue.clock.advance(1000)
    tcp.write(requestsOf(100))
    await receiveAnswers(100)
    expect(venue.realtime.counts().sockets).toBe(1)
  })

  it('closes the socket after 64 KiB in a second', async () => {
    const { tcp, closed } = await connectOpen()
    const payload = Buffer.alloc(16_000, 'x')
    const frame = Buffer.concat([Buffer.from([0x81, 0xfe, 16_000 >> 8, 16_000 & 0xff, 0, 0, 0, 0]), payload])
    tcp.write(Buffer.concat(Array.from({ length: 5 }, () => frame)))
    await closed
  })

  it('counts frames that are split across TCP segments', async () => {
    const { tcp, closed } = await connectOpen()
    for (const byte of Buffer.concat(Array.from({ length: 100 }, () => clientFrame('431[]')))) {
      if (tcp.destroyed) break
      if (!tcp.write(Buffer.from([byte]))) await new Promise((resolve) => tcp.once('drain', resolve))
    }
    await closed
  })

  it.each(['40/other,', '42/other,["x"]', '451-/other,["x"]'])(
    'closes the socket if a packet has another namespace: %s',
    async (text) => {
      const { tcp, closed } = await connectOpen()
      tcp.write(clientFrame(text))
      await closed
    },
  )

  it('closes a connection that leaves the namespace, also if it joins it again', async () => {
    const { tcp, closed } = await connectOpen()
    tcp.write(Buffer.concat([clientFrame('41'), clientFrame('40')]))
    await closed
    expect(venue.realtime.counts().sockets).toBe(0)
    expect(venue.reportedErrors).toEqual([])
  })
})

describe('socket limit', () => {
  const status = async (headers: string[] = []): Promise<string> =>
    (await connectRaw(headers)).first.split(' ')[1] ?? ''
  beforeEach(() => open({ settings: { rateLimits: true } }))
  afterEach(async () => {
    closeRawSockets()
    await venue.close()
  })

  it('allows 200 sockets of visitors per address', async () => {
    for (let i = 0; i < 200; i++) expect(await status()).toBe('101')
    const { first } = await connectRaw([])
    expect(first).toMatch(/^HTTP\/1.1 429 Too Many Requests\r\n/)
    expect(first).toContain('Retry-After: 1')
    expect(first).toContain('RATE_LIMITED')
    // A closed socket does not count any more.
    rawSockets.shift()?.destroy()
    await expect.poll(() => status()).toBe('101')
  })

  it('allows ten sockets per session', async () => {
    const { sid } = await venue.createMember()
    for (let i = 0; i < 10; i++) await venue.connect({ cookie: `sid=${sid}` })
    const { tcp } = await connectRaw([`Cookie: sid=${sid}`])
    const closed = new Promise((resolve) => tcp.once('close', resolve))
    tcp.resume()
    tcp.write(clientFrame('40'))
    await closed
    expect(venue.realtime.counts().sockets).toBe(10)
  })

  it('counts handshakes as requests of their address', async () => {
    // A request takes less time than a handshake.
    for (let i = 0; i < 1900; i++) expect((await venue.app.inject('/api/time')).statusCode).toBe(200)
    const statuses: string[] = []
    for (let i = 0; i < 200 && statuses.at(-1) !== '429'; i++) {
      statuses.push(await status(['Origin: http://elsewhere.test']))
    }
    expect(statuses).toHaveLength(101)
    const polling = await fetch(`${url}/socket.io/?EIO=4&transport=polling`)
    expect(polling.status).toBe(429)
  })
})
