import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { csvSpanMaxMs } from '../../../contract/constants.ts'
import { orderRoutes } from '../../../contract/orders.ts'
import { exportRange } from '../../../server/http/downloads.ts'
import { createListener } from '../../../server/http/listener.ts'
import type { Listener } from '../../../server/http/listener.ts'
import { mount } from '../../../server/http/mount.ts'
import type { Authenticator } from '../../../server/ports.ts'
import { manualClock } from '../../support/manualClock.ts'
import { openHttpApp } from '../../support/httpApp.ts'

/** Each cookie is a member of its own. */
const anyMemberAuthenticator: Authenticator = {
  findBySid: async (sid) => ({ memberId: sid, sessionId: sid, csrfHash: '' }),
  cachedSessionId: (sid) => sid,
  csrfMatches: () => true,
}

let app: FastifyInstance
let front: Listener
let port: number
/** Pieces that were made, and files whose making ended, whether or not they were whole. */
let made: number
let ended: number
let pieces: number
const piece = 'x'.repeat(64 * 1024)

beforeEach(async () => {
  const shell = await openHttpApp({ authenticator: anyMemberAuthenticator })
  app = shell.app
  made = 0
  ended = 0
  pieces = 1000
  const write = async function* () {
    try {
      for (let i = 0; i < pieces; i++) {
        made += 1
        yield piece
      }
    } finally {
      ended += 1
    }
  }
  mount(app, orderRoutes.ordersCsv, async ({ member, reply }) =>
    app.requestContext.downloads.stream(
      { member, reply },
      { name: 'orders.csv', type: 'text/csv; charset=utf-8', pieces: write() },
    ),
  )
  await app.ready()
  front = createListener(manualClock(), { gracePeriodMs: 0 })
  front.serve((request, response) => app.routing(request, response))
  port = (await front.listen(0, '127.0.0.1')).port
})
afterEach(async () => {
  for (const answer of answers.splice(0)) answer.destroy()
  await front.close()
  await app.close()
})
const answers: IncomingMessage[] = []

/** The answer of a file to a member, nothing of it read yet. */
async function startDownload(member: string): Promise<IncomingMessage> {
  const call = request({ port, path: '/api/orders.csv', headers: { cookie: `sid=${member}` }, agent: false })
  call.on('error', () => undefined)
  call.end()
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  answer.on('error', () => undefined)
  answers.push(answer)
  return answer
}

it('a file comes whole, with its name', async () => {
  pieces = 40
  const answer = await startDownload('a')
  expect(answer.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="orders.csv"',
  })
  let length = 0
  for await (const chunk of answer) length += (chunk as Buffer).length
  expect([length, ended]).toEqual([40 * piece.length, 1])
})

it('what is not read is not made, and it ends when the member leaves', async () => {
  const answer = await startDownload('a')
  answer.pause()
  // The buffers of the connection fill, and then nothing more is made.
  let before = -1
  await expect
    .poll(
      () => {
        const still = made === before
        before = made
        return still && made > 1
      },
      { interval: 300 },
    )
    .toBe(true)
  expect(made).toBeLessThan(pieces)
  expect(ended).toBe(0)
  answer.destroy()
  await expect.poll(() => ended).toBe(1)
  expect(made).toBeLessThan(pieces)
})

it('one at a time for a member, four in all', async () => {
  const open = [await startDownload('a')]
  const second = await startDownload('a')
  expect([second.statusCode, second.headers['retry-after']]).toEqual([429, '5'])
  for (const member of ['b', 'c', 'd']) open.push(await startDownload(member))
  expect(open.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
  expect((await startDownload('e')).statusCode).toBe(429)
  open[1]?.destroy()
  await expect.poll(async () => (await startDownload('e')).statusCode).toBe(200)
})

it('a second file asked for on the same connection does not outlive it', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  const get = (member: string): string =>
    `GET /api/orders.csv HTTP/1.1\r\nHost: venue.test\r\nCookie: sid=${member}\r\n\r\n`
  socket.write(get('a'))
  await once(socket, 'data')
  socket.pause()
  const received = once(front.server, 'request')
  socket.write(get('b'))
  await received
  // Whatever came before this request is begun by now, or never will be.
  await fetch(`http://127.0.0.1:${port}/nothing`)
  socket.destroy()
  for (const member of ['a', 'b']) {
    await expect.poll(async () => (await startDownload(member)).statusCode).toBe(200)
  }
})

describe('what a file covers', () => {
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
  ])('%j', (asked, span) => expect(exportRange(asked, now)).toEqual(span))

  it('more than a year is refused', () => {
    expect(() => exportRange({ from: 0, to: csvSpanMaxMs + 1 }, now)).toThrow('VALIDATION')
  })
})
