import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { io } from 'socket.io-client'
import { afterAll, afterEach, expect, it } from 'vitest'
import { killUpticks, openUptick } from '../support/uptickCommand.ts'

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
