import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { orderRoutes } from '../../../contract/orders.ts'
import { createDownloader } from '../../../src/api/downloader.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function setupDownloader(answer: RequestListener, silenceMs = 5000) {
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
  const download = (query = {}) =>
    fetchFile({ route: orderRoutes.ordersCsv, query, onProgress: (bytes) => received.push(bytes) })
  return { download, urls, received, onEnded }
}

const csv = { 'content-type': 'text/csv; charset=utf-8', 'server-time': '1700000000123' }
const json = { 'content-type': 'application/json' }
const errorBody = (code: string, params?: object) =>
  JSON.stringify({ error: { code, requestId: 'r1', params } })

describe('createDownloader', () => {
  it('returns the whole file, and reports progress', async () => {
    const { download, urls, received } = await setupDownloader((_, response) => {
      response.writeHead(200, csv)
      response.write('"a"\r\n', () => setImmediate(() => response.end('"b"\r\n')))
    })
    const result = await download({ tab: 'closed', productId: 'A B' })
    expect(result).toMatchObject({ ok: true, at: 1_700_000_000_123 })
    expect(result.ok && (await result.value.text())).toBe('"a"\r\n"b"\r\n')
    expect(received.at(-1)).toBe(10)
    expect(urls).toEqual(['/api/orders.csv?tab=closed&productId=A+B'])
  })

  it('returns offline if the file breaks off', async () => {
    const { download } = await setupDownloader((_, response) => {
      response.writeHead(200, csv)
      response.write('"a"\r\n', () => setImmediate(() => response.destroy()))
    })
    expect(await download()).toEqual({ ok: false, failure: { kind: 'offline' } })
  })

  it('returns a timeout if the server stops sending', async () => {
    const { download } = await setupDownloader((_, response) => {
      response.writeHead(200, csv)
      response.write('"a"\r\n')
    }, 50)
    expect(await download()).toEqual({ ok: false, failure: { kind: 'timeout' } })
  })

  it('returns offline if the server is down', async () => {
    const { download } = await setupDownloader((_, response) => response.destroy())
    expect(await download()).toEqual({ ok: false, failure: { kind: 'offline' } })
  })

  it.each([
    ['the page of a captive portal', 200, { 'content-type': 'text/html' }, '<html>', { kind: 'broken' }],
    ['a proxy’s error page', 502, { 'content-type': 'text/html' }, '<html>', { kind: 'broken' }],
    [
      'from a venue that is starting',
      503,
      json,
      errorBody('UNAVAILABLE'),
      { kind: 'rejected', status: 503, code: 'UNAVAILABLE' },
    ],
    [
      'a rate limit with the wait in the header',
      429,
      { ...json, 'retry-after': '7' },
      errorBody('RATE_LIMITED'),
      { kind: 'rejected', status: 429, code: 'RATE_LIMITED', params: { retryAfterMs: 7000 } },
    ],
    [
      'a rate limit with the wait in the answer',
      429,
      { ...json, 'retry-after': '7' },
      errorBody('RATE_LIMITED', { retryAfterMs: 6500 }),
      { kind: 'rejected', status: 429, code: 'RATE_LIMITED', params: { retryAfterMs: 6500 } },
    ],
    [
      'the rate limit of a proxy',
      429,
      { 'content-type': 'text/html', 'retry-after': '3' },
      'slow down',
      { kind: 'rejected', status: 429, code: 'RATE_LIMITED', params: { retryAfterMs: 3000 } },
    ],
  ])('returns the failure if the answer is %s', async (_what, status, headers, body, failure) => {
    const { download } = await setupDownloader((_, response) => response.writeHead(status, headers).end(body))
    expect(await download()).toMatchObject({ ok: false, failure })
  })

  it('ends the session if the venue has none', async () => {
    const { download, onEnded } = await setupDownloader((_, response) =>
      response.writeHead(401, json).end(errorBody('UNAUTHENTICATED')),
    )
    expect(await download()).toMatchObject({ ok: false, failure: { code: 'UNAUTHENTICATED' } })
    expect(onEnded).toHaveBeenCalledOnce()
  })
})
