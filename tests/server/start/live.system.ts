import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { genesis, verifyChain } from '../../../contract/chain.ts'
import type { ProductDetail } from '../../../contract/products.ts'
import type { Gap } from '../../../contract/settle.ts'
import { blackBoxClient, registerMember } from '../../support/blackBoxClient.ts'
import { configFile } from '../../support/configFile.ts'
import { openExchange, type RunningExchange } from '../../support/exchange/openExchange.ts'
import { productRow } from '../../support/productRow.ts'
import { startVenue, type VenueProcess } from '../../support/venueProcess.ts'
import { serverBundle } from '../../support/serverBundle.ts'

const folder = mkdtempSync(join(tmpdir(), 'live-'))
const running: VenueProcess[] = []
const exchanges: RunningExchange[] = []
afterAll(async () => {
  await Promise.all(running.map((venue) => venue.end('SIGKILL')))
  for (const exchange of exchanges) await exchange.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const rows = [
  productRow('BTC', { feed: { exchange: 'binance', symbol: 'BTC/USDT' }, sizeDecimals: 5 }),
  productRow('EUR', { feed: { exchange: 'kraken', symbol: 'EUR/USD' } }),
]
async function start(env: Record<string, string>): Promise<VenueProcess> {
  const file = join(folder, 'products.json')
  writeFileSync(file, JSON.stringify(rows))
  const settings = { DATA_DIR: join(folder, 'data'), PRODUCTS_FILE: file, FEED: 'live', ...env }
  const venue = startVenue([join(serverBundle(), 'main.js')], settings)
  running.push(venue)
  return venue
}

const addresses = ({ url: binance }: RunningExchange, { url: kraken }: RunningExchange) => ({
  CONFIG_FILE: configFile(folder, { exchangeAddresses: { binance, kraken } }),
})

type Ticks = { ticks: (readonly [number, number, string, string, string, number])[] }

it('a live venue shows the trades of its exchanges with their ids, and takes no orders while one is silent', async () => {
  const binance = await openExchange('binance', { rate: 20 })
  const kraken = await openExchange('kraken', { symbols: ['EUR/USD'], rate: 20 })
  exchanges.push(binance, kraken)
  const venue = await start(addresses(binance, kraken))
  const url = await venue.ready
  const guest = blackBoxClient(url)
  const ticksOf = async (id: string): Promise<Ticks['ticks']> =>
    (await guest.get<Ticks>(`/api/products/${id}/ticks?afterSeq=0&limit=5000`)).body.ticks
  await expect.poll(async () => (await ticksOf('BTC')).length).toBeGreaterThan(40)
  const ticks = await ticksOf('BTC')
  const { trades } = binance.core
  const first = trades.findIndex(({ id }) => String(id) === ticks[0]![4])
  expect(ticks.map(([, , price, , sourceId, sourceAt]) => [price, sourceId, sourceAt])).toEqual(
    trades.slice(first, first + ticks.length).map(({ price, id, at }) => [price, String(id), at]),
  )
  const { body } = await guest.get<ProductDetail>('/api/products/BTC')
  const { host } = new URL(binance.url)
  expect(body.source).toBe(`live: binance BTCUSDT from ${host}, every trade`)
  expect(body.sources).toMatchObject([{ fingerprint: `live:binance:BTCUSDT@${host}` }])

  const member = await registerMember(url, 'livefeed1', '13800000009')
  const place = async (productId: string): Promise<string> => {
    const order = { productId, direction: 'up', amount: '10.00', seconds: 30, rateBp: 8500 }
    const answer = await member.postWithKey<{ code?: string; error?: { code: string } }>('/api/orders', {
      ...order,
      validUntil: Date.now() + 20_000,
    })
    return answer.status === 201 ? 'placed' : answer.text
  }
  await expect.poll(() => place('BTC')).toBe('placed')
  await binance.close()
  await expect.poll(() => place('BTC')).toContain('FEED_STALE')
  await expect.poll(() => place('EUR')).toBe('placed')
  await venue.end('SIGTERM')
})

it('after a kill the time until the exchange is received again is a gap, and the chain continues after it', async () => {
  const binance = await openExchange('binance', { rate: 20 })
  const kraken = await openExchange('kraken', { symbols: ['EUR/USD'], rate: 20 })
  exchanges.push(binance, kraken)
  const env = {
    DATA_DIR: join(folder, 'killed'),
    ...addresses(binance, kraken),
  }
  const read = async (url: string) => {
    const guest = blackBoxClient(url)
    const get = async <T>(path: string): Promise<T> => (await guest.get<T>(`/api/products/BTC/${path}`)).body
    const { ticks } = await get<Ticks>('ticks?afterSeq=0&limit=5000')
    const { items } = await get<{ items: Gap[] }>('gaps')
    return { ticks, gaps: items }
  }
  const killed = await start(env)
  const url = await killed.ready
  await expect.poll(async () => (await read(url)).ticks.length).toBeGreaterThan(20)
  const known = (await read(url)).ticks
  await killed.end('SIGKILL')
  const venue = await start(env)
  const urlAfter = await venue.ready
  const lastIdOf = (all: Ticks['ticks']): number => Number(all.at(-1)?.[4])
  // The exchange traded on while nobody listened.
  const resumedFrom = lastIdOf((await read(urlAfter)).ticks) + 20
  await expect.poll(async () => lastIdOf((await read(urlAfter)).ticks)).toBeGreaterThan(resumedFrom)
  const { ticks, gaps } = await read(urlAfter)
  expect(ticks.slice(0, known.length)).toEqual(known)
  const between = (a: number, b: number): boolean =>
    gaps.some(({ from, to }) => from >= a && to !== null && to < b)
  expect(between(known.at(-1)![1], ticks.at(-1)![1])).toBe(true)
  for (const [n, [, at, , , id]] of ticks.entries()) {
    const next = ticks[n + 1]
    if (next && Number(next[4]) !== Number(id) + 1) expect(between(at, next[1])).toBe(true)
    expect(gaps.some(({ from, to }) => at > from && (to === null || at <= to))).toBe(false)
  }
  expect(verifyChain('BTC', genesis('BTC'), ticks).ok).toBe(true)
  await venue.end('SIGTERM')
})

it('a live venue logs the witness of a product, and takes no orders before it has a tick', async () => {
  const binance = await openExchange('binance', { rate: 20 })
  const kraken = await openExchange('kraken', { symbols: ['EUR/USD'], rate: 20, isStarted: false })
  exchanges.push(binance, kraken)
  const file = join(folder, 'witnessed.json')
  const witness = { exchange: 'kraken', symbol: 'EUR/USD', maxDeviationBp: 10_000 }
  writeFileSync(
    file,
    JSON.stringify([productRow('BTC', { feed: { exchange: 'binance', symbol: 'BTC/USDT', witness } })]),
  )
  const venue = await start({
    PRODUCTS_FILE: file,
    DATA_DIR: join(folder, 'witnessed'),
    ...addresses(binance, kraken),
  })
  const url = await venue.ready
  const guest = blackBoxClient(url)
  const id = 'BTC~kraken'
  expect((await guest.get<ProductDetail>('/api/products/BTC')).body.witness?.id).toBe(id)
  const member = await registerMember(url, 'witnessed1', '13800000010')
  const place = async (productId: string): Promise<string> => {
    const order = { productId, direction: 'up', amount: '10.00', seconds: 30, rateBp: 8500 }
    return (await member.postWithKey('/api/orders', { ...order, validUntil: Date.now() + 20_000 })).text
  }
  await expect.poll(() => place('BTC')).toContain('"reason":"witness"')
  kraken.core.start()
  await expect.poll(() => place('BTC')).toContain('"status":"accepted"')
  const read = async () =>
    (await guest.get<Ticks>(`/api/products/${id}/ticks?afterSeq=0&limit=5000`)).body.ticks
  await expect.poll(async () => (await read()).length).toBeGreaterThan(20)
  expect(verifyChain(id, genesis(id), await read()).ok).toBe(true)
  expect(await place(id)).toContain('NO_ORDERS')
  await venue.end('SIGTERM')
})

it('a live start stops with one line if a product cannot be listened to', async () => {
  const file = join(folder, 'recorded.json')
  writeFileSync(file, JSON.stringify([productRow('WALK')]))
  const venue = await start({ PRODUCTS_FILE: file, DATA_DIR: join(folder, 'none') })
  expect(await venue.exited).toBe(2)
  expect(venue.message()).toBe(
    'uptick: PRODUCTS_FILE: product WALK: FEED=live needs an exchange in every row\n',
  )
})
