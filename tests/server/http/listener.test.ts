import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createListener } from '../../../server/http/listener.ts'
import type { Listener, ListenerOptions } from '../../../server/http/listener.ts'

let front: Listener
let address: AddressInfo
let url: string
async function open(options: ListenerOptions = {}): Promise<void> {
  front = createListener({ now: () => 1234 }, { gracePeriodMs: 200, ...options })
  address = await front.listen(0, '127.0.0.1')
  url = `http://127.0.0.1:${address.port}`
}
beforeEach(() => open())
afterEach(() => front.close())

it('503 while it starts and stops, the venue’s answers in between', async () => {
  const starting = await fetch(`${url}/healthz`)
  expect(starting.status).toBe(503)
  expect(starting.headers.get('server-time')).toBe('1234')
  expect(await starting.json()).toEqual({ error: { code: 'UNAVAILABLE', requestId: '' } })
  front.serve((_request, response) => response.end('served'))
  expect(await (await fetch(url)).text()).toBe('served')
  front.stopServing()
  expect((await fetch(`${url}/api/config`)).status).toBe(503)
})

it('a port that is taken says so', async () => {
  const second = createListener({ now: () => 0 })
  await expect(second.listen(address.port, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

const get = (path = '/'): string => `GET ${path} HTTP/1.1\r\nHost: venue.test\r\n\r\n`

/** A connection whose answers are collected. */
async function connectClient() {
  const socket = connect(address.port, '127.0.0.1')
  socket.on('error', () => undefined)
  let text = ''
  socket.on('data', (data) => {
    text += data.toString('latin1')
  })
  const answered = new Promise<void>((resolve) => socket.once('data', () => resolve()))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await once(socket, 'connect')
  return {
    socket,
    answered,
    closed,
    text: () => text,
    statuses: () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)),
  }
}
type ConnectedClient = Awaited<ReturnType<typeof connectClient>>

/** Connections that have all been accepted, so that what they write next arrives together. */
async function connectClients(count: number): Promise<ConnectedClient[]> {
  let accepted = 0
  const all = new Promise<void>((resolve) => {
    const onConnection = (): void => {
      accepted += 1
      if (accepted === count) {
        front.server.off('connection', onConnection)
        resolve()
      }
    }
    front.server.on('connection', onConnection)
  })
  const dialled = await Promise.all(Array.from({ length: count }, connectClient))
  await all
  return dialled
}

it('hundreds of requests at once leave the rest of the venue its turns', async () => {
  const count = 400
  let begun = 0
  /** Requests begun between two turns of everything else. */
  const between: number[] = []
  let going = true
  const everythingElse = (): void => {
    between.push(begun)
    begun = 0
    if (going) setImmediate(everythingElse)
  }
  front.serve((_request, response) => {
    begun += 1
    response.end()
  })
  const dialled = await connectClients(count)
  setImmediate(everythingElse)
  for (const { socket } of dialled) socket.write(get())
  await Promise.all(dialled.map(({ answered }) => answered))
  going = false
  for (const { socket } of dialled) socket.destroy()
  expect(Math.max(...between)).toBeLessThanOrEqual(8)
})

it('who goes first does not wait for the others, and the others are not forgotten', async () => {
  const begun: string[] = []
  front.serve(
    (request, response) => {
      begun.push(request.url ?? '')
      response.end()
    },
    ({ url }) => url === '/member',
  )
  const dialled = await connectClients(130)
  dialled.forEach(({ socket }, i) => socket.write(get(i < 100 ? '/stranger' : '/member')))
  await Promise.all(dialled.map(({ answered }) => answered))
  expect(begun).toHaveLength(130)
  for (const { socket } of dialled) socket.destroy()
  // All of them were there before the first was begun: of each four one is a stranger's.
  expect(begun.slice(0, 40).filter((url) => url === '/member')).toHaveLength(30)
  expect(begun.slice(0, 40).filter((url) => url === '/stranger')).toHaveLength(10)
})

it('more requests than may wait are refused at once', async () => {
  await front.close()
  await open({ queueMax: 10 })
  front.serve(
    (_request, response) => response.end(),
    ({ url }) => url === '/member',
  )
  const dialled = await connectClients(60)
  dialled.forEach(({ socket }, i) => socket.write(get(i % 2 === 0 ? '/stranger' : '/member')))
  await Promise.all(dialled.map(({ answered }) => answered))
  const served = (rest: number): number =>
    dialled.filter(({ statuses }, i) => i % 2 === rest && statuses()[0] === 200).length
  expect([served(0), served(1)]).toEqual([10, 10])
  const refused = dialled.filter(({ statuses }) => statuses()[0] === 503)
  expect(refused).toHaveLength(40)
  for (const { text } of refused) expect(text()).toContain('Retry-After: 1')
  const late = await connectClient()
  late.socket.write(get())
  await expect.poll(late.statuses).toEqual([200])
  for (const { socket } of [...dialled, late]) socket.destroy()
})

describe('several requests on one connection', () => {
  it('a connection that sends requests without waiting for answers is cut, and nothing of it is kept', async () => {
    const begun: string[] = []
    front.serve(({ url = '' }, response) => {
      begun.push(url)
      if (url === '/last') response.end()
    })
    let received = 0
    front.server.on('request', () => {
      received += 1
    })
    const flood = await connectClient()
    flood.socket.write(get().repeat(40_000))
    await flood.closed
    const other = await connectClient()
    other.socket.write(get('/last'))
    await other.answered
    // Whatever waited was begun before this request, which came later.
    expect(begun).toEqual(['/last'])
    // What came in the same read as the second request is parsed, and no more.
    expect(received).toBeLessThan(5000)
    expect(flood.text()).toBe('')
    other.socket.destroy()
  })

  it('a second request while the first is being worked on cuts the connection', async () => {
    let begun = 0
    const gone = new Promise<void>((resolve) => {
      front.serve((_request, response) => {
        begun += 1
        response.once('close', resolve)
      })
    })
    const client = await connectClient()
    client.socket.write(get())
    await expect.poll(() => begun).toBe(1)
    client.socket.write(get())
    await Promise.all([gone, client.closed])
    expect(begun).toBe(1)
  })

  it('one after another they are all answered', async () => {
    front.serve(({ url }, response) => response.end(`answer ${url}`))
    const client = await connectClient()
    for (let i = 1; i <= 50; i++) {
      client.socket.write(get(`/${i}.`))
      await expect.poll(client.text, { interval: 1 }).toContain(`answer /${i}.`)
    }
    expect(client.statuses()).toHaveLength(50)
    client.socket.destroy()
  })

  it('a request sent after the whole answer is served, even if the venue has not ended that answer yet', async () => {
    const begun: ServerResponse[] = []
    front.serve((_request, response) => {
      begun.push(response)
      response.writeHead(200, { 'Content-Length': 2 })
      response.write('ok')
    })
    const client = await connectClient()
    client.socket.write(get())
    await expect.poll(client.text).toContain('ok')
    const second = once(front.server, 'request')
    client.socket.write(get())
    await second
    begun[0]?.end()
    await expect.poll(client.statuses).toEqual([200, 200])
    begun[1]?.end()
    client.socket.destroy()
  })

  it('every request that is begun hears when its connection closes', async () => {
    const open = new Set<ServerResponse>()
    let begun = 0
    front.serve((_request, response) => {
      begun += 1
      open.add(response)
      response.once('close', () => open.delete(response))
      response.write('some')
    })
    const client = await connectClient()
    client.socket.write(get())
    await expect.poll(client.text).toContain('some')
    const second = once(front.server, 'request')
    client.socket.write(get())
    await second
    client.socket.destroy()
    const other = await connectClient()
    other.socket.write(get())
    await expect.poll(() => begun).toBeGreaterThanOrEqual(2)
    other.socket.destroy()
    await expect.poll(() => open.size).toBe(0)
    expect(begun).toBe(2)
  })
})

it('a client that resets while its upgrade is still being decided ends nothing', async () => {
  const upgraded = once(front.server, 'upgrade')
  const client = connect(address.port, '127.0.0.1')
  client.on('error', () => undefined)
  client.write('GET / HTTP/1.1\r\nHost: venue.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  const [, connection] = (await upgraded) as [unknown, Socket]
  const closed = new Promise((resolve) => connection.once('close', resolve))
  // An error that nobody listens to would be an uncaught exception, which fails this run.
  client.resetAndDestroy()
  await closed
  expect(connection.errored).toMatchObject({ code: 'ECONNRESET' })
  front.serve((_request, response) => response.end('served'))
  expect(await (await fetch(url)).text()).toBe('served')
})

it('an answer that nobody reads is given up', async () => {
  await front.close()
  await open({ stallTimeoutMs: 300 })
  const closed = new Promise<void>((resolve) => {
    front.serve((_request, response) => {
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
  it('what is under way gets its answer, idle connections do not hold it up', async () => {
    let arrive: (response: ServerResponse) => void = () => undefined
    const arrived = new Promise<ServerResponse>((resolve) => {
      arrive = resolve
    })
    front.serve((_request, response) => arrive(response))
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

  it('a connection that became a WebSocket and never ends is cut', async () => {
    front.server.on('upgrade', (_request, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'))
    const socket = connect(address.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    await new Promise((resolve) => socket.once('data', resolve))
    await front.close()
    expect(front.server.listening).toBe(false)
  })
})
