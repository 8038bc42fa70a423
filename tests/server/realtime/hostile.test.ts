import { connect as dial } from 'node:net'
import type { Socket as TcpSocket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSockets } from '../../support/sockets.ts'
import type { Sockets } from '../../support/sockets.ts'

let venue: Sockets
const dialled: TcpSocket[] = []
beforeEach(async () => {
  venue = await openSockets(['A', 'B'], { bufferedMaxBytes: 256 * 1024 })
})
afterEach(async () => {
  for (const socket of dialled.splice(0)) socket.destroy()
  await venue.close()
})

const upgrade = (headers: string[]): string =>
  [
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
    `Host: ${new URL(venue.url).host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
    '\r\n',
  ].join('\r\n')

/** A masked text frame, as a client must send it. */
function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  if (payload.length > 125) throw new Error('short frames only')
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload])
}

/** A connection by hand; the answer is what came back first. */
async function dialWith(headers: string[]): Promise<{ tcp: TcpSocket; first: string }> {
  const tcp = dial(Number(new URL(venue.url).port), '127.0.0.1')
  dialled.push(tcp)
  tcp.on('error', () => undefined)
  tcp.write(upgrade(headers))
  const first = await new Promise<string>((resolve) => {
    tcp.once('data', (data) => resolve(data.toString('latin1')))
  })
  return { tcp, first }
}

describe('the upgrade', () => {
  test.each([
    ['a foreign origin', 'Origin: http://elsewhere.test', '400'],
    ['no origin at all', 'X-Tool: 1', '101'],
  ])('%s', async (_what, header, status) => {
    const { first } = await dialWith([header])
    expect(first).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  test('the own origin', async () => {
    const { first } = await dialWith([`Origin: ${venue.url}`])
    expect(first).toMatch(/^HTTP\/1.1 101 /)
    expect(first).toContain(`Server-Time: ${venue.clock.now()}`)
    expect(first).not.toMatch(/permessage-deflate/i)
  })

  test('no other way than WebSocket', async () => {
    await expect(venue.connect({}, { transports: ['polling'] })).rejects.toThrow()
    const answer = await fetch(`${venue.url}/socket.io/?EIO=4&transport=polling`)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('server-time')).toBe(String(venue.clock.now()))
  })
})

test('a socket that does not read is cut, the others lose nothing', async () => {
  const { tcp } = await dialWith([])
  tcp.write(clientFrame('40'))
  await expect.poll(() => venue.realtime.counts().sockets).toBe(1)
  tcp.write(clientFrame('420["subscribe",{"products":["A"]}]'))
  await expect.poll(() => venue.realtime.counts().audiences).toBe(1)
  tcp.pause()

  const reader = await venue.connect()
  await reader.ask('subscribe', { products: ['A'] })
  const prices = Array.from({ length: 4000 }, (_, i) => 1_000_000 + i)
  let flushes = 0
  while (venue.realtime.counts().cut === 0 && flushes < 2000) {
    venue.market.flush(venue.clock.now(), { A: prices })
    flushes += 1
    if (flushes % 4 === 0) await reader.caughtUp()
  }
  await reader.caughtUp()
  expect(venue.realtime.counts().cut).toBe(1)
  await expect.poll(() => venue.realtime.counts().sockets).toBe(1)
  expect(reader.frames().reduce((sum, { blocks }) => sum + blocks[0]!.values.length / 3, 0)).toBe(
    flushes * 4000,
  )
})

describe('what a socket may send', () => {
  test('20 events a second, what comes faster is refused, what goes on regardless is cut', async () => {
    const client = await venue.connect()
    const ask = () => client.ask<{ code?: string }>('subscribe', { products: ['A'] })
    const answers = await Promise.all(Array.from({ length: 60 }, ask))
    expect(answers.filter(({ code }) => code === 'RATE_LIMITED')).toHaveLength(20)
    await venue.clock.advance(1000)
    const next = await Promise.all(Array.from({ length: 30 }, ask))
    expect(next.filter(({ code }) => code === 'RATE_LIMITED')).toHaveLength(10)
    for (let i = 0; i < 300; i++) client.socket.emit('anything', i)
    await expect.poll(() => client.socket.connected).toBe(false)
  })

  test('more than 16 KiB at once ends the connection', async () => {
    const client = await venue.connect()
    client.socket.emit('subscribe', { products: ['x'.repeat(17_000)] })
    await expect.poll(() => client.socket.connected).toBe(false)
  })

  test('nonsense is ignored', async () => {
    const client = await venue.connect()
    client.socket.emit('subscribe')
    client.socket.emit('subscribe', { products: ['A'] })
    client.socket.emit('unsubscribe', 1)
    client.socket.emit('order', { productId: 'A' })
    client.socket.emit('clock', { toString: 1 }, 'no function')
    await client.caughtUp()
    expect(venue.realtime.counts()).toMatchObject({ sockets: 1, audiences: 0 })
  })
})
