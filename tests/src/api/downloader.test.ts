import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { orderRoutes } from '../../../contract/orders.ts'
import { createDownloader } from '../../../src/api/downloader.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function venue(answer: RequestListener, silenceMs = 5000) {
  const urls: (string | undefined)[] = []
  const server = createServer((request, response) => {
    urls.push(request.url)
    answer(request, response)
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
  const { port } = server.address() as AddressInfo
  const fetchFile = createDownloader(
    { token: () => 'csrf', onEnded },
    `http://127.0.0.1:${port}/api`,
    silenceMs,
  )
  const received: number[] = []
  const ask = (query = {}) =>
    fetchFile({ route: orderRoutes.ordersCsv, query, onProgress: (bytes) => received.push(bytes) })
  return { ask, urls, received, onEnded }
}

const csv = { 'content-type': 'text/csv; charset=utf-8', 'server-time': '1700000000123' }
const json = { 'content-type': 'application/json' }
const errorBody = (code: string, params?: object) =>
  JSON.stringify({ error: { code, requestId: 'r1', params } })

describe('a file of the venue', () => {
  it('comes whole, with what has come so far', async () => {
    const { ask, urls, received } = await venue((_, response) => {
      response.writeHead(200, csv)
      response.write('"a"\r\n', () => setImmediate(() => response.end('"b"\r\n')))
    })
    const result = await ask({ tab: 'closed', productId: 'A B' })
    expect(result).toMatchObject({ ok: true, at: 1_700_000_000_123 })
    expect(result.ok && (await result.value.text())).toBe('"a"\r\n"b"\r\n')
    expect(received.at(-1)).toBe(10)
    expect(urls).toEqual(['/api/orders.csv?tab=closed&productId=A+B'])
  })

  it('that breaks off is none', async () => {
    const { ask } = await venue((_, response) => {
      response.writeHead(200, csv)
      response.write('"a"\r\n', () => setImmediate(() => response.destroy()))
    })
    expect(await ask()).toEqual({ ok: false, failure: { kind: 'offline' } })
  })

  it('that falls silent is none', async () => {
    const { ask } = await venue((_, response) => {
      response.writeHead(200, csv)
      response.write('"a"\r\n')
    }, 50)
    expect(await ask()).toEqual({ ok: false, failure: { kind: 'timeout' } })
  })

  it('cannot be had while the venue is away', async () => {
    const { ask } = await venue((_, response) => response.destroy())
    expect(await ask()).toEqual({ ok: false, failure: { kind: 'offline' } })
  })

  it.each([
    ['a page of some network', 200, { 'content-type': 'text/html' }, '<html>', { kind: 'broken' }],
    ['a proxy’s error page', 502, { 'content-type': 'text/html' }, '<html>', { kind: 'broken' }],
    [
      'a venue that starts',
      503,
      json,
      errorBody('UNAVAILABLE'),
      { kind: 'rejected', status: 503, code: 'UNAVAILABLE' },
    ],
    [
      'one file already under way, with the wait in the header',
      429,
      { ...json, 'retry-after': '7' },
      errorBody('RATE_LIMITED'),
      { kind: 'rejected', status: 429, code: 'RATE_LIMITED', params: { retryAfterMs: 7000 } },
    ],
    [
      'one file already under way, with the wait in the answer',
      429,
      { ...json, 'retry-after': '7' },
      errorBody('RATE_LIMITED', { retryAfterMs: 6500 }),
      { kind: 'rejected', status: 429, code: 'RATE_LIMITED', params: { retryAfterMs: 6500 } },
    ],
    [
      'a proxy’s own limit',
      429,
      { 'content-type': 'text/html', 'retry-after': '3' },
      'slow down',
      { kind: 'rejected', status: 429, code: 'RATE_LIMITED', params: { retryAfterMs: 3000 } },
    ],
  ])('is none where the answer is %s', async (_what, status, headers, body, failure) => {
    const { ask } = await venue((_, response) => response.writeHead(status, headers).end(body))
    expect(await ask()).toMatchObject({ ok: false, failure })
  })

  it('ends the session where the venue knows none', async () => {
    const { ask, onEnded } = await venue((_, response) =>
      response.writeHead(401, json).end(errorBody('UNAUTHENTICATED')),
    )
    expect(await ask()).toMatchObject({ ok: false, failure: { code: 'UNAUTHENTICATED' } })
    expect(onEnded).toHaveBeenCalledOnce()
  })
})
