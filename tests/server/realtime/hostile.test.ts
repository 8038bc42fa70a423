import type { Socket as TcpSocket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clientFrame, openRawSocket, driveFanout } from '../../support/fanout.ts'
import { createRateLimiter } from '../../../server/http/rateLimiter.ts'
import { manualClock } from '../../support/manualClock.ts'
import { openRealtimeVenue } from '../../support/realtimeVenue.ts'
import type { RealtimeVenue } from '../../support/realtimeVenue.ts'

let venue: RealtimeVenue
const dialled: TcpSocket[] = []
beforeEach(async () => {
  venue = await openRealtimeVenue(['A', 'B'])
})
afterEach(async () => {
  for (const socket of dialled.splice(0)) socket.destroy()
  await venue.close()
})

async function dialWith(headers: string[]): Promise<{ tcp: TcpSocket; first: string }> {
  const answer = await openRawSocket(venue.url, headers)
  dialled.push(answer.tcp)
  return answer
}

describe('the upgrade', () => {
  it.each([
    ['a foreign origin', 'Origin: http://elsewhere.test', '400'],
    ['no origin at all', 'X-Tool: 1', '101'],
  ])('%s', async (_what, header, status) => {
    const { first } = await dialWith([header])
    expect(first).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  it('the own origin', async () => {
    const { first } = await dialWith([`Origin: ${venue.url}`])
    expect(first).toMatch(/^HTTP\/1.1 101 /)
    expect(first).toContain(`Server-Time: ${venue.clock.now()}`)
    expect(first).not.toMatch(/permessage-deflate/i)
  })

  it('no other way than WebSocket', async () => {
    await expect(venue.connect({}, { transports: ['polling'] })).rejects.toThrow()
    const answer = await fetch(`${venue.url}/socket.io/?EIO=4&transport=polling`)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('server-time')).toBe(String(venue.clock.now()))
  })
})

it('a socket that does not read is cut, the others lose nothing', async () => {
  const { terminated, missed, stalledMs } = await driveFanout(20, 1, 10)
  expect({ cut: terminated, missed, heard: stalledMs.length }).toEqual({ cut: 1, missed: 0, heard: 200 })
})

describe('what a socket may send', () => {
  it('20 events a second, what comes faster is refused, what goes on regardless is cut', async () => {
    const client = await venue.connect()
    const ask = () => client.request<{ code?: string }>('subscribe', { products: ['A'] })
    const answers = await Promise.all(Array.from({ length: 60 }, ask))
    expect(answers.filter(({ code }) => code === 'RATE_LIMITED')).toHaveLength(20)
    await venue.clock.advance(1000)
    const next = await Promise.all(Array.from({ length: 30 }, ask))
    expect(next.filter(({ code }) => code === 'RATE_LIMITED')).toHaveLength(10)
    for (let i = 0; i < 300; i++) client.socket.emit('anything', i)
    await expect.poll(() => client.socket.connected).toBe(false)
  })

  it('more than 16 KiB at once ends the connection', async () => {
    const client = await venue.connect()
    client.socket.emit('subscribe', { products: ['x'.repeat(17_000)] })
    await expect.poll(() => client.socket.connected).toBe(false)
  })

  it('nonsense is ignored', async () => {
    const client = await venue.connect()
    client.socket.emit('subscribe')
    client.socket.emit('subscribe', { products: ['A'] })
    client.socket.emit('unsubscribe', 1)
    client.socket.emit('order', { productId: 'A' })
    client.socket.emit('clock', { toString: 1 }, 'no function')
    await client.sync()
    expect(venue.realtime.counts()).toMatchObject({ sockets: 1, subscriptionGroups: 0 })
  })
})

describe('what arrives is counted, whatever it is', () => {
  const frames = {
    'a pong of Engine.IO': clientFrame('3'),
    'an empty frame': clientFrame(''),
    'an answer to nothing': clientFrame('431[]'),
    'a call': clientFrame('420["clock",1]'),
    'a ping of the WebSocket': Buffer.from([0x89, 0x80, 0, 0, 0, 0]),
    'a pong of the WebSocket': Buffer.from([0x8a, 0x80, 0, 0, 0, 0]),
    'an empty piece of a longer frame': Buffer.from([0x00, 0x80, 0, 0, 0, 0]),
  }
  /** A connected socket; the handshake took one frame of its hundred. */
  async function dialOpen(): Promise<{ tcp: TcpSocket; closed: Promise<void> }> {
    const { tcp } = await dialWith([])
    tcp.resume()
    const closed = new Promise<void>((resolve) => tcp.once('close', () => resolve()))
    tcp.write(clientFrame('40'))
    await expect.poll(() => venue.realtime.counts().sockets).toBe(1)
    return { tcp, closed }
  }

  it.each(Object.entries(frames))('a hundred in a second: %s', async (what, frame) => {
    const { tcp, closed } = await dialOpen()
    // A piece needs a beginning, which counts as well.
    const begin = what.includes('piece') ? [Buffer.from([0x01, 0x80, 0, 0, 0, 0])] : []
    tcp.write(Buffer.concat([...begin, ...Array.from({ length: 99 - begin.length }, () => frame)]))
    tcp.write(clientFrame('40'))
    await closed
    expect(venue.realtime.counts().sockets).toBe(0)
  })

  it('a hundred are allowed, and a hundred more a second later', async () => {
    const { tcp } = await dialOpen()
    const answered = (count: number) => {
      let seen = ''
      tcp.on('data', (data) => (seen += data.toString('latin1')))
      return expect.poll(() => seen.match(/43\d+\[/g)?.length ?? 0).toBe(count)
    }
    const calls = (count: number) =>
      Buffer.concat(Array.from({ length: count }, (_, i) => clientFrame(`42${i}["clock",1]`)))
    tcp.write(calls(99))
    await answered(99)
    await venue.clock.advance(1000)
    tcp.write(calls(100))
    await answered(100)
    expect(venue.realtime.counts().sockets).toBe(1)
  })

  it('64 KiB a second', async () => {
    const { tcp, closed } = await dialOpen()
    const payload = Buffer.alloc(16_000, 'x')
    const frame = Buffer.concat([Buffer.from([0x81, 0xfe, 16_000 >> 8, 16_000 & 0xff, 0, 0, 0, 0]), payload])
    tcp.write(Buffer.concat(Array.from({ length: 5 }, () => frame)))
    await closed
  })

  it('frames are counted across the pieces they arrive in', async () => {
    const { tcp, closed } = await dialOpen()
    for (const byte of Buffer.concat(Array.from({ length: 100 }, () => clientFrame('431[]')))) {
      if (tcp.destroyed) break
      if (!tcp.write(Buffer.from([byte]))) await new Promise((resolve) => tcp.once('drain', resolve))
    }
    await closed
  })

  it.each(['40/other,', '42/other,["x"]', '451-/other,["x"]'])(
    'another namespace is closed: %s',
    async (text) => {
      const { tcp, closed } = await dialOpen()
      tcp.write(clientFrame(text))
      await closed
    },
  )
})

describe('how many sockets', () => {
  const status = async (headers: string[] = []): Promise<string> =>
    (await dialWith(headers)).first.split(' ')[1] ?? ''
  beforeEach(async () => {
    await venue.close()
    venue = await openRealtimeVenue(['A'], { rateLimiter: createRateLimiter(manualClock()) })
  })

  it('200 of an address', async () => {
    for (let i = 0; i < 200; i++) expect(await status()).toBe('101')
    const { first } = await dialWith([])
    expect(first).toMatch(/^HTTP\/1.1 429 Too Many Requests\r\n/)
    expect(first).toContain('Retry-After: 1')
    expect(first).toContain('RATE_LIMITED')
    // Prices for a member are not held up by visitors of the same address.
    dialled.shift()?.destroy()
    await expect.poll(() => status()).toBe('101')
  })

  it('ten of a session', async () => {
    for (let i = 0; i < 10; i++) await venue.connect({ cookie: 'sid=live' })
    const { tcp } = await dialWith(['Cookie: sid=live'])
    const closed = new Promise((resolve) => tcp.once('close', resolve))
    tcp.resume()
    tcp.write(clientFrame('40'))
    await closed
    expect(venue.realtime.counts().sockets).toBe(10)
  })

  it('handshakes count as calls of their address', async () => {
    const answers: string[] = []
    for (let i = 0; i < 2100 && answers.at(-1) !== '429'; i++) {
      answers.push(await status(['Origin: http://elsewhere.test']))
    }
    expect(answers).toHaveLength(2001)
    const polling = await fetch(`${venue.url}/socket.io/?EIO=4&transport=polling`)
    expect(polling.status).toBe(429)
  })
})
