import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ErrorBody } from '../../../../contract/errors.ts'
import {
  checkPort,
  createListener,
  type Listener,
  type ListenerOptions,
  type Unavailable,
} from '../../../../server/platform/http/listener.ts'

let listener: Listener
let address: AddressInfo
let url: string
let logged: Unavailable[]
async function open(options: ListenerOptions = {}): Promise<void> {
  logged = []
  listener = createListener(
    { now: () => 1234 },
    { gracePeriodMs: 200, unavailable: (request) => void logged.push(request), ...options },
  )
  address = await listener.listen(0, '127.0.0.1')
  url = `http://127.0.0.1:${address.port}`
}
beforeEach(() => open())
afterEach(() => listener.close())

it('answers 503 before serve and after stopServing', async () => {
  const starting = await fetch(`${url}/healthz`)
  expect(starting.status).toBe(503)
  expect(starting.headers.get('server-time')).toBe('1234')
  expect(starting.headers.get('x-content-type-options')).toBe('nosniff')
  expect(starting.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  const { error } = (await starting.json()) as ErrorBody
  expect(error).toEqual({ code: 'UNAVAILABLE', requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  expect(starting.headers.get('x-request-id')).toBe(error.requestId)
  expect(logged).toEqual([{ requestId: error.requestId, method: 'GET', isServing: false }])
  listener.serve((_request, response) => response.end('served'))
  expect(await (await fetch(url)).text()).toBe('served')
  listener.stopServing()
  expect((await fetch(`${url}/api/config`)).status).toBe(503)
})

it('rejects with EADDRINUSE if the port is in use', async () => {
  const second = createListener({ now: () => 0 })
  await expect(second.listen(address.port, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

it('finds a port in use without opening it, and leaves a free one closed', async () => {
  await expect(checkPort(address.port, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await listener.close()
  expect(await checkPort(address.port, '127.0.0.1')).toMatchObject({ port: address.port })
  await expect(fetch(url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
})

const get = (path = '/'): string => `GET ${path} HTTP/1.1\r\nHost: venue.test\r\n\r\n`

/** Opens a connection and collects its answers. */
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

/** Opens connections and waits until all are accepted, so that their next writes onArrived together. */
async function connectClients(count: number): Promise<ConnectedClient[]> {
  let accepted = 0
  const all = new Promise<void>((resolve) => {
    const onConnection = (): void => {
      accepted += 1
      if (accepted === count) {
        listener.server.off('connection', onConnection)
        resolve()
      }
    }
    listener.server.on('connection', onConnection)
  })
  const clients = await Promise.all(Array.from({ length: count }, connectClient))
  await all
  return clients
}

it('drains: refuses connections, and ends those that are open with the answer to their next request', async () => {
  listener.serve((_request, response) => response.end('served'))
  const [used, idle] = await connectClients(2)
  used!.socket.write(get())
  await used!.answered
  expect(used!.text()).toContain('Connection: keep-alive')
  const drained = listener.drain()
  const connecting = () =>
    fetch(url).then(
      ({ status }) => String(status),
      ({ cause }) => cause.code,
    )
  await expect.poll(connecting).toBe('ECONNREFUSED')
  idle!.socket.write(get())
  await idle!.closed
  expect([idle!.statuses(), idle!.text().includes('Connection: close')]).toEqual([[200], true])
  // The other one has no request: it ends with the listener.
  await drained
  expect(used!.socket.closed).toBe(false)
  await listener.close()
  await used!.closed
})

it('leaves turns of the event loop to other work during hundreds of requests', async () => {
  const count = 400
  let startedRequests = 0
  /** Requests started startedPerTurn two turns of other work. */
  const startedPerTurn: number[] = []
  let isRunning = true
  const otherWork = (): void => {
    startedPerTurn.push(startedRequests)
    startedRequests = 0
    if (isRunning) setImmediate(otherWork)
  }
  listener.serve((_request, response) => {
    startedRequests += 1
    response.end()
  })
  const clients = await connectClients(count)
  setImmediate(otherWork)
  for (const { socket } of clients) socket.write(get())
  await Promise.all(clients.map(({ answered }) => answered))
  isRunning = false
  for (const { socket } of clients) socket.destroy()
  expect(Math.max(...startedPerTurn)).toBeLessThanOrEqual(8)
})

it('starts requests with priority first, without starving the others', async () => {
  const startedRequests: string[] = []
  listener.serve(
    (request, response) => {
      startedRequests.push(request.url ?? '')
      response.end()
    },
    ({ url }) => url === '/member',
  )
  const clients = await connectClients(130)
  clients.forEach(({ socket }, i) => socket.write(get(i < 100 ? '/visitor' : '/member')))
  await Promise.all(clients.map(({ answered }) => answered))
  expect(startedRequests).toHaveLength(130)
  for (const { socket } of clients) socket.destroy()
  // All of them had arrived before the first one started: one of each four has no priority.
  expect(startedRequests.slice(0, 40).filter((url) => url === '/member')).toHaveLength(30)
  expect(startedRequests.slice(0, 40).filter((url) => url === '/visitor')).toHaveLength(10)
})

it('answers 503 at once if the queue is full', async () => {
  await listener.close()
  await open({ queueMax: 10 })
  listener.serve(
    (_request, response) => response.end(),
    ({ url }) => url === '/member',
  )
  const clients = await connectClients(60)
  clients.forEach(({ socket }, i) => socket.write(get(i % 2 === 0 ? '/visitor' : '/member')))
  await Promise.all(clients.map(({ answered }) => answered))
  const countServed = (remainder: number): number =>
    clients.filter(({ statuses }, i) => i % 2 === remainder && statuses()[0] === 200).length
  expect([countServed(0), countServed(1)]).toEqual([10, 10])
  const rejected = clients.filter(({ statuses }) => statuses()[0] === 503)
  expect(rejected).toHaveLength(40)
  for (const { text } of rejected) expect(text()).toContain('Retry-After: 1')
  expect(logged).toHaveLength(40)
  expect(logged.every(({ isServing }) => isServing)).toBe(true)
  const late = await connectClient()
  late.socket.write(get())
  await expect.poll(late.statuses).toEqual([200])
  for (const { socket } of [...clients, late]) socket.destroy()
})

describe('several requests on one connection', () => {
  it('closes a connection that sends requests without waiting for answers', async () => {
    const startedRequests: string[] = []
    listener.serve(({ url = '' }, response) => {
      startedRequests.push(url)
      if (url === '/last') response.end()
    })
    let received = 0
    listener.server.on('request', () => {
      received += 1
    })
    const flood = await connectClient()
    flood.socket.write(get().repeat(40_000))
    await flood.closed
    const other = await connectClient()
    other.socket.write(get('/last'))
    await other.answered
    // Any request that waited would have started before this one, which came later.
    expect(startedRequests).toEqual(['/last'])
    // Only what came in the same read as the second request is parsed.
    expect(received).toBeLessThan(5000)
    expect(flood.text()).toBe('')
    other.socket.destroy()
  })

  it('closes the connection if a second request comes while the first is in progress', async () => {
    let startedRequests = 0
    const gone = new Promise<void>((resolve) => {
      listener.serve((_request, response) => {
        startedRequests += 1
        response.once('close', resolve)
      })
    })
    const client = await connectClient()
    client.socket.write(get())
    await expect.poll(() => startedRequests).toBe(1)
    client.socket.write(get())
    await Promise.all([gone, client.closed])
    expect(startedRequests).toBe(1)
  })

  it('answers requests that come one after another', async () => {
    listener.serve(({ url }, response) => response.end(`answer ${url}`))
    const client = await connectClient()
    for (let i = 1; i <= 50; i++) {
      client.socket.write(get(`/${i}.`))
      await expect.poll(client.text, { interval: 1 }).toContain(`answer /${i}.`)
    }
    expect(client.statuses()).toHaveLength(50)
    client.socket.destroy()
  })

  it('serves a request sent after the whole answer, even if the handler has not ended that answer', async () => {
    const startedRequests: ServerResponse[] = []
    listener.serve((_request, response) => {
      startedRequests.push(response)
      response.writeHead(200, { 'Content-Length': 2 })
      response.write('ok')
    })
    const client = await connectClient()
    client.socket.write(get())
    await expect.poll(client.text).toContain('ok')
    const second = once(listener.server, 'request')
    client.socket.write(get())
    await second
    startedRequests[0]?.end()
    await expect.poll(client.statuses).toEqual([200, 200])
    startedRequests[1]?.end()
    client.socket.destroy()
  })

  it('emits close for every started request when the connection closes', async () => {
    const open = new Set<ServerResponse>()
    let startedRequests = 0
    listener.serve((_request, response) => {
      startedRequests += 1
      open.add(response)
      response.once('close', () => open.delete(response))
      response.write('some')
    })
    const client = await connectClient()
    client.socket.write(get())
    await expect.poll(client.text).toContain('some')
    const second = once(listener.server, 'request')
    client.socket.write(get())
    await second
    client.socket.destroy()
    const other = await connectClient()
    other.socket.write(get())
    await expect.poll(() => startedRequests).toBeGreaterThanOrEqual(2)
    other.socket.destroy()
    await expect.poll(() => open.size).toBe(0)
    expect(startedRequests).toBe(2)
  })
})

it('survives a reset of a client during its upgrade', async () => {
  const upgraded = once(listener.server, 'upgrade')
  const client = connect(address.port, '127.0.0.1')
  client.on('error', () => undefined)
  client.write('GET / HTTP/1.1\r\nHost: venue.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  const [, connection] = (await upgraded) as [unknown, Socket]
  const closed = new Promise((resolve) => connection.once('close', resolve))
  // An error without a listener would be an uncaught exception, which fails this run.
  client.resetAndDestroy()
  await closed
  expect(connection.errored).toMatchObject({ code: 'ECONNRESET' })
  listener.serve((_request, response) => response.end('served'))
  expect(await (await fetch(url)).text()).toBe('served')
})

it('closes a connection that does not read its answer', async () => {
  await listener.close()
  await open({ stallTimeoutMs: 300 })
  const closed = new Promise<void>((resolve) => {
    listener.serve((_request, response) => {
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

describe('close', () => {
  it('waits for requests in progress, not for idle connections', async () => {
    let onArrived: (response: ServerResponse) => void = () => undefined
    const arrived = new Promise<ServerResponse>((resolve) => {
      onArrived = resolve
    })
    listener.serve((_request, response) => onArrived(response))
    const idle = connect(address.port, '127.0.0.1')
    await new Promise((resolve) => idle.once('connect', resolve))
    const answer = fetch(url)
    const response = await arrived
    const closed = listener.close()
    response.end('late')
    expect(await (await answer).text()).toBe('late')
    await closed
    idle.destroy()
  })

  it('closes WebSocket connections that do not end', async () => {
    listener.server.on('upgrade', (_request, socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
    )
    const socket = connect(address.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    await new Promise((resolve) => socket.once('data', resolve))
    await listener.close()
    expect(listener.server.listening).toBe(false)
  })
})
