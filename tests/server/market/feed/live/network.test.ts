import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'vitest'
import { formatUnits } from '../../../../../contract/price.ts'
import { systemClock } from '../../../../../server/platform/clock.ts'
import type { LiveFeed, LiveTick } from '../../../../../server/market/feed/feed.ts'
import {
  exchangeNames,
  Exchanges,
  type ExchangeName,
} from '../../../../../server/market/feed/live/exchanges.ts'
import { networkTransport } from '../../../../../server/market/feed/live/transport.ts'
import { systemRandom } from '../../../../../server/platform/random.ts'
import {
  openExchange,
  type ExchangeOptions,
  type RunningExchange,
} from '../../../../support/exchange/openExchange.ts'
import { readFrames } from '../../../../support/exchange/frames.ts'
import { sampleSymbols } from '../../../../support/exchange/speech.ts'

const clock = systemClock()

type Opened = {
  exchange: RunningExchange
  feed: LiveFeed
  ticks: LiveTick[]
  gaps: number
  warnings: string[]
}

/** A feed that listens to an exchange of ours on a port, and has covered something. */
async function listen(
  { expect, onTestFinished }: TestContext,
  name: ExchangeName,
  options: ExchangeOptions = {},
  decimals = { price: 2, size: 5 },
): Promise<Opened> {
  const exchange = await openExchange(name, { ...options, isStarted: false })
  onTestFinished(() => exchange.close())
  const warnings: string[] = []
  const feed = new Exchanges({ urls: { [name]: exchange.url }, oandaToken: 't', oandaAccount: '101-1' })
    .source({
      id: 'P',
      exchange: name,
      symbol: options.symbols?.[0] ?? sampleSymbols[name],
      priceDecimals: decimals.price,
      sizeDecimals: decimals.size,
      tradingHoursAt: () => ({ open: true, opensAt: null, closesAt: null }),
    })
    .open({ clock, random: systemRandom, logLine: (_level, what) => warnings.push(what) })
  onTestFinished(() => feed.close())
  const opened = { exchange, feed, ticks: [], gaps: 0, warnings }
  await feed.start()
  const lines = name === 'oanda' ? 1 : 2
  await expect.poll(() => exchange.core.sessions, { interval: 20 }).toBe(lines)
  exchange.core.start()
  return opened
}

function take(opened: Opened): Opened {
  const { ticks, gaps, coveredUntil } = opened.feed.read(clock.now())
  opened.ticks.push(...ticks)
  opened.gaps += gaps.length
  opened.feed.committed(coveredUntil)
  return opened
}

// They wait most of their time.
describe.concurrent.each(exchangeNames)('over the network, a feed of %s', (name) => {
  it('has the ids, prices and sizes that the exchange sent', async (test) => {
    const { expect } = test
    const opened = await listen(test, name, { rate: 50 })
    await expect.poll(() => take(opened).ticks.length, { interval: 50 }).toBeGreaterThan(60)
    const { trades } = opened.exchange.core
    const first = trades.findIndex(({ at }) => at === opened.ticks[0]!.sourceAt)
    const read = opened.ticks.map((tick) => [tick.sourceAt, formatUnits(tick.price, 2)])
    const sent = trades.slice(first).map(({ at, price }) => [at, price])
    // A quote in the same millisecond replaces the one before it, so fewer are read than were sent.
    if (name === 'oanda') expect(sent).toEqual(expect.arrayContaining(read))
    else {
      expect(read).toEqual(sent.slice(0, read.length))
      expect(opened.ticks.map(({ sourceId, size }) => [sourceId, formatUnits(size, 5)])).toEqual(
        trades.slice(first, first + read.length).map(({ id, size }) => [String(id), size]),
      )
    }
    expect(
      opened.ticks.every(({ price, size }) => Number.isSafeInteger(price) && Number.isSafeInteger(size)),
    ).toBe(true)
  })

  it('connects again after a cut in the middle of a message', async (test) => {
    const { expect } = test
    const opened = await listen(test, name, {
      rate: 20,
      faults: [{ at: 300, kind: 'cut-in-message', target: 'all' }],
    })
    const lines = name === 'oanda' ? 1 : 2
    await expect.poll(() => opened.exchange.core.sessionCount, { interval: 50 }).toBeGreaterThan(lines)
    const before = take(opened).ticks.length
    await expect.poll(() => take(opened).ticks.length, { interval: 50 }).toBeGreaterThan(before + 5)
    expect(opened.warnings.some((line) => line.includes('connection lost'))).toBe(true)
  })
})

it('follows no redirect: a token goes to the configured address only', async ({ expect, onTestFinished }) => {
  const reached: string[] = []
  const server = createServer((request, response) => {
    reached.push(request.url ?? '')
    response.writeHead(302, { Location: '/elsewhere' }).end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())))
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/prices`
  await expect(networkTransport.get(address, {})).rejects.toThrow()
  await new Promise<void>((resolve) => {
    const nothing = () => undefined
    networkTransport.stream(
      address,
      {},
      { opened: nothing, message: nothing, ponged: nothing, closed: () => resolve() },
    )
  })
  expect(reached).toEqual(['/prices', '/prices'])
})

describe.concurrent.each([
  ['binance', 'ETHUSDT', 'binance_spot_ethusdt_20240808.ndjson.gz', { price: 2, size: 4 }],
  ['binance-usdm', 'BTCUSDT', 'binance_usdm_btcusdt_20240718.ndjson.gz', { price: 1, size: 3 }],
] as const)('a recorded capture of %s', (name, symbol, file, decimals) => {
  it('arrives with every id, price and size, and nothing is missing', async (test) => {
    const { expect } = test
    const frames = readFrames(file, Date.now(), 20)
    const opened = await listen(test, name, { symbols: [symbol], frames }, decimals)
    const trades = frames.flatMap(({ trade }) => (trade ? [trade] : []))
    await expect
      .poll(() => take(opened).ticks.at(-1)?.sourceId, { interval: 100 })
      .toBe(String(trades.at(-1)!.id))
    const read = opened.ticks.map(({ sourceId, sourceAt, price, size }) => [
      sourceId,
      sourceAt,
      Number(formatUnits(price, decimals.price)),
      Number(formatUnits(size, decimals.size)),
    ])
    const sent = trades.map(({ id, at, price, size }) => [String(id), at, Number(price), Number(size)])
    // The start of a capture proves nothing until its first message.
    expect(sent.length - read.length).toBeLessThanOrEqual(1)
    expect(read).toEqual(sent.slice(sent.length - read.length))
    // That of the start; a busy machine sends late, which is a gap too. Other tests count them, on a clock of their own.
    expect(opened.gaps).toBeGreaterThanOrEqual(1)
    expect(opened.warnings.filter((line) => !line.includes('snapshot'))).toEqual([])
  })
})
