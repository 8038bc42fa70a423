import type { Socket as TcpSocket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dialSocket, driveCrowd } from '../../support/crowd.ts'
import { openSockets } from '../../support/sockets.ts'
import type { Sockets } from '../../support/sockets.ts'

let venue: Sockets
const dialled: TcpSocket[] = []
beforeEach(async () => {
  venue = await openSockets(['A', 'B'])
})
afterEach(async () => {
  for (const socket of dialled.splice(0)) socket.destroy()
  await venue.close()
})

async function dialWith(headers: string[]): Promise<{ tcp: TcpSocket; first: string }> {
  const answer = await dialSocket(venue.url, headers)
  dialled.push(answer.tcp)
  return answer
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
  const { cut, missed, stalledMs } = await driveCrowd(20, 1, 10)
  expect({ cut, missed, heard: stalledMs.length }).toEqual({ cut: 1, missed: 0, heard: 200 })
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
