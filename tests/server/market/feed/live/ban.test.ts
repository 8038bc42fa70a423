import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Ban, type HttpRefusal } from '../../../../../server/market/feed/live/ban.ts'
import { networkTransport } from '../../../../../server/market/feed/live/transport.ts'

const start = Date.UTC(2026, 0, 5, 2)
const minute = 60_000
const day = 1440 * minute

function opened() {
  const lines: string[] = []
  return { lines, ban: new Ban('binance', (level, what) => lines.push(`${level}: ${what}`)) }
}

describe('a ban', () => {
  it.each([
    [{ status: 429, retryAfter: '120' }, 2 * minute],
    [{ status: 418, retryAfter: 'Mon, 05 Jan 2026 02:10:00 GMT' }, 10 * minute],
    [{ status: 503, retryAfter: '7' }, 7000],
    // A date of the past.
    [{ status: 429, retryAfter: 'Mon, 05 Jan 2026 01:00:00 GMT' }, 1000],
    // What cannot be read is no time.
    [{ status: 429, retryAfter: 'soon' }, 30_000],
    [{ status: 418, retryAfter: null }, 30_000],
    [{ status: 429, retryAfter: '99999999999' }, 3 * day],
  ])('%j lasts %d ms', (refusal, ms) => {
    const { ban } = opened()
    expect(ban.record(refusal, start)).toBe(true)
    expect(ban.until).toBe(start + ms)
  })

  it.each([
    { status: 503, retryAfter: null },
    { status: 451, retryAfter: '60' },
    { status: 400, retryAfter: '60' },
  ])('is not %j', (refusal) => {
    const { ban, lines } = opened()
    expect(ban.record(refusal, start)).toBe(false)
    expect(ban.until).toBeLessThan(start)
    expect(lines).toEqual([])
  })

  it('without a time is longer each time, at most half an hour, until something is answered', () => {
    const { ban } = opened()
    const lengths: number[] = []
    let now = start
    const next = (): void => {
      ban.record({ status: 429, retryAfter: null }, now)
      lengths.push((ban.until - now) / 1000)
      now = ban.until
    }
    for (let i = 0; i < 8; i++) next()
    ban.lifted()
    next()
    expect(lengths).toEqual([30, 60, 120, 240, 480, 960, 1800, 1800, 30])
  })

  it('is logged once, though several answers were under way, and again if it becomes longer', () => {
    const { ban, lines } = opened()
    for (const ms of [0, 50, 900]) ban.record({ status: 429, retryAfter: '120' }, start + ms)
    ban.record({ status: 418, retryAfter: null }, start + 1000)
    ban.record({ status: 418, retryAfter: '600' }, start + 2000)
    expect(lines).toEqual([
      'warn: binance: answered 429, no connection and no call before 2026-01-05T02:02:00.000Z',
      'warn: binance: answered 418, no connection and no call before 2026-01-05T02:10:02.000Z',
    ])
  })
})

describe('an HTTP answer that refuses', () => {
  /** A server that refuses everything. */
  async function refusing(): Promise<string> {
    const headers = { 'Retry-After': '120' }
    const server = createServer((_request, response) => response.writeHead(429, headers).end())
    server.on('upgrade', (_request, socket) =>
      socket.end('HTTP/1.1 418 Refused\r\nRetry-After: 60\r\nConnection: close\r\n\r\n'),
    )
    server.listen(0, '127.0.0.1')
    onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())))
    await once(server, 'listening')
    return `127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const closed = (open: 'socket' | 'stream', address: string) =>
    new Promise<[string, HttpRefusal | undefined]>((resolve) => {
      const nothing = (): undefined => undefined
      const handlers = { opened: nothing, message: nothing, ponged: nothing }
      networkTransport[open](address, {}, { ...handlers, closed: (...why) => resolve(why as never) })
    })

  it('has its status and Retry-After on a socket, a stream and a call', async () => {
    const host = await refusing()
    expect(await closed('socket', `ws://${host}/`)).toEqual([
      'answered 418',
      { status: 418, retryAfter: '60' },
    ])
    const answer = { status: 429, retryAfter: '120' }
    expect(await closed('stream', `http://${host}/`)).toEqual(['answered 429', answer])
    await expect(networkTransport.get(`http://${host}/`, {})).rejects.toMatchObject({
      message: 'answered 429',
      refusal: answer,
    })
  })
})
