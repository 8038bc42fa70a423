import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Server, WebSocket } from 'mock-socket'
import { firstValueFrom, toArray } from 'rxjs'
import { describe, expect, it, test } from 'vitest'
import { ticks, toMarbles } from 'uptick/marbles'
import { replayTicks, virtualClock } from 'uptick/replay'
import { openMarket, walk } from 'uptick/test'
import { market } from 'uptick/vitest'

// The examples of the package's README, word for word: the last test compares them.

const recorded = test.extend(market('btc-2022-01-15'))

recorded('a gap makes prices stale', async ({ market }) => {
  market.gap('10s', '20s')
  await market.play('16s')
  market.expectQuote({ stale: true, feed: 'stale' })
  await market.play('30s')
  market.expectQuote({ price: '42970.20', stale: false })
})

recorded('buys, and shows the result', async ({ market }) => {
  await market.play('10s')
  const draft = { productId: 'BTC', direction: 'up', amount: '10.00', seconds: 30, rateBp: 8500 } as const
  market.streams.orders.place(draft) // what your component does
  const order = await market.untilOrderSettles()
  expect(order).toMatchObject({ status: 'won', payout: '18.50' })
})

recorded('buys by REST', async ({ market }) => {
  const { fetch, member } = market.venue // or vi.stubGlobal('fetch', fetch)
  const post = (path: string, body: object, more = {}) => {
    const headers = { 'Content-Type': 'application/json', ...more }
    return fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  const login = await post('/api/auth/login', member)
  const { token } = (await login.json()) as { token: string }
  const terms = { productId: 'BTC', direction: 'up', amount: '10.00', seconds: 30, rateBp: 8500 }
  const order = { ...terms, validUntil: market.now() + 5000 }
  const own = { 'X-CSRF-Token': token, 'Idempotency-Key': crypto.randomUUID() }
  expect((await post('/api/orders', order, own)).status).toBe(201)
})

it('opens a market without the fixture', async () => {
  const market = await openMarket({ BTC: 'btc-2022-01-15', MADE: walk(7) })
  await market.play('10s')
  market.expectQuote({ stale: false }, 'BTC')
  market.close()
})

it('draws ticks', async () => {
  const drawn = await firstValueFrom(ticks('a-b--(ab)|', { a: 100.01, b: 100.02 }).pipe(toArray()))
  expect(toMarbles(drawn)).toEqual({ marbles: 'a-b--(ab)', prices: { a: 100.01, b: 100.02 } })
})

it('feeds an app with its own WebSocket', async () => {
  const clock = virtualClock()
  const exchange = new Server('wss://exchange.example')
  exchange.on('connection', (socket) => {
    const ticks = replayTicks(walk(7), { scheduler: clock })
    ticks.subscribe(({ at, price }) => socket.send(JSON.stringify({ at, price: price / 100 })))
  })
  const prices: number[] = []
  const app = new WebSocket('wss://exchange.example')
  app.onmessage = ({ data }) => prices.push((JSON.parse(String(data)) as { price: number }).price)
  await new Promise((opened) => (app.onopen = opened))
  clock.advanceTo(2000)
  await expect.poll(() => prices.length).toBe(5)
  exchange.close()
})

describe('packages/uptick/README.md', () => {
  it('has the examples above', () => {
    const page = readFileSync(join(import.meta.dirname, '../../packages/uptick/README.md'), 'utf8')
    const words = (text: string): string => text.replaceAll(/,(?=\s*\))|\s/g, '')
    const here = words(readFileSync(import.meta.filename, 'utf8'))
    const blocks = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, text = '']) => text)
    expect(blocks).toHaveLength(6)
    for (const block of blocks) expect(here).toContain(words(block.replaceAll(/^import .*\n/gm, '')))
  })
})
