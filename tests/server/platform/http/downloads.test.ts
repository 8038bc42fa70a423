import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { csvSpanMaxMs } from '../../../../contract/constants.ts'
import { orderRoutes } from '../../../../contract/orders.ts'
import { exportRange } from '../../../../server/platform/http/downloads.ts'
import { createListener, type Listener } from '../../../../server/platform/http/listener.ts'
import { mount } from '../../../../server/platform/http/mount.ts'
import type { Authenticator } from '../../../../server/platform/ports.ts'
import { manualClock } from '../../../support/manualClock.ts'
import { openHttpApp } from '../../../support/httpApp.ts'

/** Treats each cookie as a separate member. */
const anyMemberAuthenticator: Authenticator = {
  findBySid: async (sid) => ({ memberId: sid, sessionId: sid, csrfHash: '' }),
  cachedSessionId: (sid) => sid,
  csrfMatches: () => true,
}

let app: FastifyInstance
let listener: Listener
let port: number
/** Pieces produced so far, and files that endedFiles, complete or not. */
let producedPieces: number
let endedFiles: number
let pieces: number
const piece = 'x'.repeat(64 * 1024)

beforeEach(async () => {
  const httpApp = await openHttpApp({ authenticator: anyMemberAuthenticator })
  app = httpApp.app
  producedPieces = 0
  endedFiles = 0
  pieces = 1000
  const write = async function* () {
    try {
      for (let i = 0; i < pieces; i++) {
        producedPieces += 1
        yield piece
      }
    } finally {
      endedFiles += 1
    }
  }
  mount(app, orderRoutes.ordersCsv, async ({ member, reply }) =>
    app.requestContext.downloads.stream(
      { caller: member.memberId, reply },
      { name: 'orders.csv', type: 'text/csv; charset=utf-8', pieces: write() },
    ),
  )
  await app.ready()
  listener = createListener(manualClock(), { gracePeriodMs: 0 })
  listener.serve((request, response) => app.routing(request, response))
  port = (await listener.listen(0, '127.0.0.1')).port
})
afterEach(async () => {
  for (const answer of answers.splice(0)) answer.destroy()
  await listener.close()
  await app.close()
})
const answers: IncomingMessage[] = []

/** Starts a download and returns its response, unread. */
async function startDownload(member: string): Promise<IncomingMessage> {
  const call = request({ port, path: '/api/orders.csv', headers: { cookie: `sid=${member}` }, agent: false })
  call.on('error', () => undefined)
  call.end()
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  answer.on('error', () => undefined)
  answers.push(answer)
  return answer
}

it('sends the whole file with its name', async () => {
  pieces = 40
  const answer = await startDownload('a')
  expect(answer.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="orders.csv"',
  })
  let length = 0
  for await (const chunk of answer) length += (chunk as Buffer).length
  expect([length, endedFiles]).toEqual([40 * piece.length, 1])
})

it('produces no more than the client reads, and ends when the connection closes', async () => {
  const answer = await startDownload('a')
  answer.pause()
  // Production stops when the buffers of the connection are full.
  let before = -1
  await expect
    .poll(
      () => {
        const hasStopped = producedPieces === before
        before = producedPieces
        return hasStopped && producedPieces > 1
      },
      { interval: 300 },
    )
    .toBe(true)
  expect(producedPieces).toBeLessThan(pieces)
  expect(endedFiles).toBe(0)
  answer.destroy()
  await expect.poll(() => endedFiles).toBe(1)
  expect(producedPieces).toBeLessThan(pieces)
})

it('allows one download per member and four in total', async () => {
  const open = [await startDownload('a')]
  const second = await startDownload('a')
  expect([second.statusCode, second.headers['retry-after']]).toEqual([429, '5'])
  for (const member of ['b', 'c', 'd']) open.push(await startDownload(member))
  expect(open.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
  expect((await startDownload('e')).statusCode).toBe(429)
  open[1]?.destroy()
  await expect.poll(async () => (await startDownload('e')).statusCode).toBe(200)
})

it('releases a second download on the same connection when it closes', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  const get = (member: string): string =>
    `GET /api/orders.csv HTTP/1.1\r\nHost: venue.test\r\nCookie: sid=${member}\r\n\r\n`
  socket.write(get('a'))
  await once(socket, 'data')
  socket.pause()
  const received = once(listener.server, 'request')
  socket.write(get('b'))
  await received
  // Any request before this one has started by now, or never will.
  await fetch(`http://127.0.0.1:${port}/nothing`)
  socket.destroy()
  for (const member of ['a', 'b']) {
    await expect.poll(async () => (await startDownload(member)).statusCode).toBe(200)
  }
})

describe('exportRange', () => {
  const now = 2 * csvSpanMaxMs
  it.each([
    [{}, { from: csvSpanMaxMs, to: now }],
    [{ to: csvSpanMaxMs }, { from: 0, to: csvSpanMaxMs }],
    [{ from: now - 5 }, { from: now - 5, to: now }],
    [{ from: 5 }, { from: 5, to: 5 + csvSpanMaxMs }],
    [
      { from: 5, to: 7 },
      { from: 5, to: 7 },
    ],
  ])('completes %j', (requested, span) => expect(exportRange(requested, now)).toEqual(span))

  it('rejects more than a year', () => {
    expect(() => exportRange({ from: 0, to: csvSpanMaxMs + 1 }, now)).toThrow('VALIDATION')
  })
})
