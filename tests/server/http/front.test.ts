import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFront } from '../../../server/http/front.ts'
import type { Front } from '../../../server/http/front.ts'

let front: Front
let address: AddressInfo
let url: string
beforeEach(async () => {
  front = createFront({ now: () => 1234 }, { finishMs: 200, stalledMs: 300 })
  address = await front.listen(0, '127.0.0.1')
  url = `http://127.0.0.1:${address.port}`
})
afterEach(() => front.close())

test('503 while it starts and stops, the venue’s answers in between', async () => {
  const starting = await fetch(`${url}/healthz`)
  expect(starting.status).toBe(503)
  expect(starting.headers.get('server-time')).toBe('1234')
  expect(await starting.json()).toEqual({ error: { code: 'UNAVAILABLE', requestId: '' } })
  front.open((_request, response) => response.end('served'))
  expect(await (await fetch(url)).text()).toBe('served')
  front.refuse()
  expect((await fetch(`${url}/api/config`)).status).toBe(503)
})

test('a port that is taken says so', async () => {
  const second = createFront({ now: () => 0 })
  await expect(second.listen(address.port, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('a thousand requests at once leave the rest of the venue its turns', async () => {
  const count = 1000
  let begun = 0
  /** Requests begun between two turns of everything else. */
  const between: number[] = []
  let going = true
  const everythingElse = (): void => {
    between.push(begun)
    begun = 0
    if (going) setImmediate(everythingElse)
  }
  front.open((_request, response) => {
    begun += 1
    response.end()
  })
  const socket = connect(address.port, '127.0.0.1')
  const answered = new Promise<void>((resolve) => {
    let text = ''
    socket.on('data', (data) => {
      text += data.toString('latin1')
      if (text.split('HTTP/1.1 200').length > count) resolve()
    })
  })
  setImmediate(everythingElse)
  socket.write('GET / HTTP/1.1\r\nHost: venue.test\r\n\r\n'.repeat(count))
  await answered
  going = false
  socket.destroy()
  expect(Math.max(...between)).toBeLessThanOrEqual(8)
})

test('who goes first does not wait for the others, and the others are not forgotten', async () => {
  const begun: string[] = []
  const arrived = (count: number) => expect.poll(() => begun.length).toBe(count)
  front.open(
    (request, response) => {
      begun.push(request.url ?? '')
      response.end()
    },
    ({ url }) => url === '/member',
  )
  const socket = connect(address.port, '127.0.0.1')
  const ask = (path: string, count: number): string =>
    `GET ${path} HTTP/1.1\r\nHost: venue.test\r\n\r\n`.repeat(count)
  socket.write(ask('/stranger', 100) + ask('/member', 30))
  await arrived(130)
  socket.destroy()
  // All of them were there before the first was begun: of each four one is a stranger's.
  expect(begun.slice(0, 40).filter((url) => url === '/member')).toHaveLength(30)
  expect(begun.slice(0, 40).filter((url) => url === '/stranger')).toHaveLength(10)
})

test('an answer that nobody reads is given up', async () => {
  const closed = new Promise<void>((resolve) => {
    front.open((_request, response) => {
      response.once('close', resolve)
      response.end(Buffer.alloc(24 * 1024 * 1024))
    })
  })
  const socket = connect(address.port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nHost: venue.test\r\n\r\n')
  await closed
  socket.destroy()
})

describe('closing', () => {
  test('what is under way gets its answer, idle connections do not hold it up', async () => {
    let arrive: (response: ServerResponse) => void = () => undefined
    const arrived = new Promise<ServerResponse>((resolve) => {
      arrive = resolve
    })
    front.open((_request, response) => arrive(response))
    const idle = connect(address.port, '127.0.0.1')
    await new Promise((resolve) => idle.once('connect', resolve))
    const asked = fetch(url)
    const response = await arrived
    const closed = front.close()
    response.end('late')
    expect(await (await asked).text()).toBe('late')
    await closed
    idle.destroy()
  })

  test('a connection that became a WebSocket and never ends is cut', async () => {
    front.server.on('upgrade', (_request, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'))
    const socket = connect(address.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    await new Promise((resolve) => socket.once('data', resolve))
    await front.close()
    expect(front.server.listening).toBe(false)
  })
})
