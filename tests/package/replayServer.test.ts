import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { io } from 'socket.io-client'
import { afterAll, afterEach, expect, it } from 'vitest'
import { killUpticks, openUptick, runUptick } from '../support/uptickCommand.ts'

afterEach(killUpticks)
const folder = mkdtempSync(join(tmpdir(), 'uptick-replay-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const recording = join(folder, 'EURUSD_2019.csv')
writeFileSync(
  recording,
  'ts_ms,price,size,bid,ask\n1549238400994,,,1.14543,1.14545\n1549238401271,,,1.14544,1.14546\n',
)

async function served(...args: string[]): Promise<string> {
  const { output } = openUptick(['replay', recording, '--port', '0', '--pause', ...args])
  await expect.poll(() => output.out).toContain(' at http')
  return output.out.trim().split(' ').at(-1)!
}

it('uptick replay answers a page of any origin, with its preflight', async () => {
  const url = await served()
  const headers = { Origin: 'http://localhost:5173' }
  const answer = await fetch(`${url}/api/products`, { headers })
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(answer.headers.get('access-control-expose-headers')).toBe('Server-Time')
  const preflight = await fetch(`${url}/replay`, { method: 'OPTIONS', headers })
  expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
    204,
    'Content-Type',
  ])
  expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, POST')
})

it('uptick replay serves other machines if --host says so', async () => {
  expect(await served()).toContain('http://127.0.0.1:')
  const url = await served('--host', '0.0.0.0')
  expect(url).toContain('http://0.0.0.0:')
  const socket = io(url, { transports: ['websocket'], forceNew: true })
  await new Promise((connected) => socket.once('connect', () => connected(undefined)))
  socket.close()
})

it('uptick replay has currency pairs as foreign exchange, with durations to choose', async () => {
  const url = await served()
  const [product] = ((await (await fetch(`${url}/api/products`)).json()) as { items: { id: string }[] }).items
  expect(product).toMatchObject({ id: 'EURUSD', code: 'EUR/USD', category: 'forex' })
  const { durations } = (await (await fetch(`${url}/api/products/EURUSD`)).json()) as { durations: object[] }
  expect(durations).toContainEqual({ seconds: 60, rateBp: 8500, min: '1.00', max: '999999.00' })
})

it('uptick replay outlives every request: paths that are none, a body that breaks off, an event without a reply', async () => {
  const url = await served()
  const { port, hostname } = new URL(url)
  const answerTo = (path: string) =>
    new Promise((done) => get({ port, hostname, path }, (answer) => done(answer.resume().statusCode)))
  expect(await answerTo('/api/products/%E0')).toBe(404)
  expect(await answerTo('//')).toBe(400)
  const cut = connect(Number(port), hostname)
  cut.end('POST /replay HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{')
  await once(cut.resume(), 'close')
  const long = await fetch(`${url}/replay`, { method: 'POST', body: ' '.repeat(100_000) }).catch(() => null)
  expect(long?.status ?? 400).toBe(400)
  const socket = io(url, { transports: ['websocket'], forceNew: true })
  socket.emit('clock', 1, 'no function')
  expect(await socket.emitWithAck('clock', 1)).toMatchObject({ t0: 1 })
  socket.close()
  expect((await fetch(`${url}/api/products`)).status).toBe(200)
})

it('uptick replay says in a line at which port or host it cannot listen', async () => {
  expect(await served('--host', '::1')).toContain('http://[::1]:')
  for (const args of [
    ['--port', '99999'],
    ['--port', '0', '--host', 'host.invalid'],
    ['--port', '0', '--host', '203.0.113.1'],
  ])
    expect(await runUptick('replay', recording, ...args)).toMatchObject({ code: 2, out: '' })
})
