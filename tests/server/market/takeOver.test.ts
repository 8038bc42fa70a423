import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { WireTick } from '../../../contract/chain.ts'
import type { Database } from '../../../server/platform/db/open.ts'
import { withDatabase } from '../../support/withVenue.ts'
import { Exchanges, type ExchangeName } from '../../../server/market/feed/live/exchanges.ts'
import { StandbyFeed } from '../../../server/market/feed/standbyFeed.ts'
import type { Transport } from '../../../server/market/feed/live/transport.ts'
import type { MarketProduct } from '../../../server/market/feed/loadProducts.ts'
import type { RunningMarket } from '../../../server/market/market.ts'
import { systemRandom } from '../../../server/platform/random.ts'
import { ExchangeCore } from '../../support/exchange/exchangeCore.ts'
import { memoryTransport } from '../../support/exchange/memoryTransport.ts'
import { sampleSymbols, speeches } from '../../support/exchange/speech.ts'
import { manualClock, type ManualClock } from '../../support/manualClock.ts'
import { openMarket, productOf } from '../../support/marketFixtures.ts'
import { seededRandom } from '../../support/random.ts'

let database: Database
let clock: ManualClock
let running: RunningMarket[]

beforeEach(async () => {
  database = await withDatabase()
  clock = manualClock()
  running = []
})
afterEach(async () => {
  for (const market of running) await market.stop()
})

/** One exchange that two nodes hear, each over connections of its own. */
function openNodes(exchange: ExchangeName, rate = 5) {
  const speech = speeches[exchange]
  const symbol = sampleSymbols[exchange]
  const { next } = seededRandom(7)
  const core = new ExchangeCore({ clock, speech, symbols: [symbol], next, rate, faults: [] })
  const productOver = (transport: Transport): MarketProduct => {
    const settings = { urls: { [exchange]: 'ws://exchange' }, oandaToken: 't', oandaAccount: '101-1' }
    const source = new Exchanges(settings, transport).source({
      id: 'LIVE',
      exchange,
      symbol,
      priceDecimals: 2,
      sizeDecimals: 5,
      tradingHoursAt: () => ({ open: true, opensAt: null, closesAt: null }),
    })
    return productOf('LIVE', source, { price: 2, size: 5 })
  }
  core.start()

  const openLeader = async (): Promise<{ market: RunningMarket; kill: () => void }> => {
    let isKilled = false
    const clockUntilKilled: ManualClock = {
      ...clock,
      at: (instant, run) => clock.at(instant, () => (isKilled ? undefined : run())),
    }
    const product = productOver(memoryTransport(core, clock, 20))
    const market = await openMarket(database.db, clockUntilKilled, [product])
    market.start()
    return { market, kill: () => (isKilled = true) }
  }
  const openStandby = (loses: (text: string) => boolean = () => false) => {
    const network = memoryTransport(core, clock, 35)
    const product = productOver({
      ...network,
      socket: (address, headers, handlers) =>
        network.socket(address, headers, {
          ...handlers,
          message: (text) => void (loses(text) || handlers.message(text)),
        }),
    })
    if (product.source.kind !== 'live') throw new Error('the product has no live source')
    const feed = new StandbyFeed(
      product.source.open({ clock, random: systemRandom, logLine: () => undefined }),
      clock,
      (what, error) => {
        throw new Error(what, { cause: error })
      },
    )
    const takeOver = async (): Promise<RunningMarket> => {
      const market = await openMarket(database.db, clock, [product], {
        standbyFeeds: new Map([['LIVE', feed]]),
      })
      running.push(market)
      market.start()
      return market
    }
    return { feed, takeOver }
  }
  return { core, openLeader, openStandby }
}

const ticksOf = async (market: RunningMarket): Promise<WireTick[]> =>
  (await market.ticksAfter('LIVE', 0, 10_000)).ticks
const idsOf = async (market: RunningMarket) => (await ticksOf(market)).map((tick) => Number(tick[4]))
const isContiguous = (ids: readonly number[]): boolean =>
  ids.every((id, i) => i === 0 || id === ids[i - 1]! + 1)

describe('a node that takes over with live prices', () => {
  it.each(['binance', 'coinbase', 'kraken'] as const)('continues without a gap: %s', async (exchange) => {
    const { core, openLeader, openStandby } = openNodes(exchange)
    const { market: leader, kill } = await openLeader()
    const standby = openStandby()
    await clock.advance(20_000)
    kill()
    const logged = (await idsOf(leader)).at(-1)!
    const watermark = leader.watermark('LIVE')
    const gaps = await leader.gaps('LIVE')
    await clock.advance(2500)
    const market = await standby.takeOver()
    await clock.advance(5000)
    expect(await market.gaps('LIVE')).toEqual(gaps)
    const ids = await idsOf(market)
    expect(isContiguous(ids)).toBe(true)
    expect(ids.at(-1)).toBeGreaterThan(core.trades.at(-1)!.id - 5)
    const after = (await ticksOf(market)).filter((tick) => Number(tick[4]) > logged)
    expect(after.length).toBeGreaterThan(20)
    expect(after.every(([, at]) => at > watermark)).toBe(true)
    // The arrivals are those of the standby, not of its take-over.
    expect(after.filter(([, at]) => at < watermark + 2400).length).toBeGreaterThan(5)
    expect(market.feedStatus('LIVE')).toBe('live')
  })

  it('makes a gap if ids after the logged ones are missing', async () => {
    const { core, openLeader, openStandby } = openNodes('binance')
    const { market: leader, kill } = await openLeader()
    let lost = Number.POSITIVE_INFINITY
    const standby = openStandby((text) => text.includes(`"t":${lost},`))
    await clock.advance(20_000)
    kill()
    const watermark = leader.watermark('LIVE')
    const gaps = await leader.gaps('LIVE')
    lost = core.trades.at(-1)!.id + 2
    await clock.advance(3500)
    const takenOverAt = clock.now()
    const market = await standby.takeOver()
    await clock.advance(5000)
    expect((await market.gaps('LIVE')).slice(gaps.length)).toEqual([{ from: watermark, to: takenOverAt }])
    const ids = await idsOf(market)
    expect(ids).not.toContain(lost)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.at(-1)).toBeGreaterThan(core.trades.at(-1)!.id - 5)
  })

  it('makes no gap if ids were missing that the leader logged', async () => {
    const { core, openLeader, openStandby } = openNodes('binance')
    const { market: leader, kill } = await openLeader()
    let lost = Number.POSITIVE_INFINITY
    const standby = openStandby((text) => text.includes(`"t":${lost},`))
    await clock.advance(10_000)
    lost = core.trades.at(-1)!.id + 2
    await clock.advance(10_000)
    kill()
    const gaps = await leader.gaps('LIVE')
    await clock.advance(1000)
    const market = await standby.takeOver()
    await clock.advance(5000)
    expect(await market.gaps('LIVE')).toEqual(gaps)
    expect(isContiguous(await idsOf(market))).toBe(true)
  })

  it('makes a gap if it takes over later than 5 s', async () => {
    const { openLeader, openStandby } = openNodes('binance')
    const { market: leader, kill } = await openLeader()
    const standby = openStandby()
    await clock.advance(20_000)
    kill()
    const watermark = leader.watermark('LIVE')
    const gaps = await leader.gaps('LIVE')
    await clock.advance(5500)
    const takenOverAt = clock.now()
    const market = await standby.takeOver()
    await clock.advance(3000)
    expect((await market.gaps('LIVE')).slice(gaps.length)).toEqual([{ from: watermark, to: takenOverAt }])
    expect(market.feedStatus('LIVE')).toBe('live')
  })

  it('makes a gap if it began to listen after the newest logged tick', async () => {
    const { openLeader, openStandby } = openNodes('binance')
    const { market: leader, kill } = await openLeader()
    await clock.advance(10_000)
    kill()
    const gaps = await leader.gaps('LIVE')
    const standby = openStandby()
    await clock.advance(2000)
    const market = await standby.takeOver()
    await clock.advance(3000)
    expect((await market.gaps('LIVE')).length).toBeGreaterThan(gaps.length)
    expect(new Set(await idsOf(market)).size).toBe((await idsOf(market)).length)
  })

  it('continues a product without a tick for a minute', async () => {
    const { core, openLeader, openStandby } = openNodes('binance', 0.02)
    const { market: leader, kill } = await openLeader()
    const standby = openStandby()
    while (core.trades.length < 2) await clock.advance(1000)
    await clock.advance(1000)
    kill()
    const gaps = await leader.gaps('LIVE')
    expect((await idsOf(leader)).length).toBeGreaterThan(0)
    await clock.advance(2000)
    const market = await standby.takeOver()
    while (core.trades.length < 4) await clock.advance(1000)
    await clock.advance(1000)
    expect(await market.gaps('LIVE')).toEqual(gaps)
    expect(isContiguous(await idsOf(market))).toBe(true)
  })
})
