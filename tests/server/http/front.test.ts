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
