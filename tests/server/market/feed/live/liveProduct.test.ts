import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readSettings } from '../../../../../server/start/config.ts'
import { ccxtFeed, loadCcxt } from '../../../../../server/market/feed/live/ccxt.ts'
import { Exchanges } from '../../../../../server/market/feed/live/exchanges.ts'
import {
  findExchangeViolations,
  liveSourceOf,
  sizeDecimalsOf,
} from '../../../../../server/market/feed/live/liveProduct.ts'
import { loadProducts } from '../../../../../server/market/feed/loadProducts.ts'
import { parseProducts } from '../../../../../server/market/feed/products.ts'
import { configFile } from '../../../../support/configFile.ts'
import { manualClock } from '../../../../support/manualClock.ts'
import { productRow } from '../../../../support/productRow.ts'
import { seededRandom } from '../../../../support/random.ts'

const exchanges = new Exchanges({ urls: {}, oandaToken: 't', oandaAccount: '101-1' })
const minute = [{ seconds: 60, rateBp: 8500, min: '1.00', max: '1000.00' }]
const rowOf = (feed: Parameters<typeof findExchangeViolations>[0]) => ({ id: 'P', priceDecimals: 2, feed })

describe('a row with an exchange', () => {
  it.each([
    [
      { exchange: 'bitmex', symbol: 'XBT' },
      'feed.exchange: must be binance, binance-usdm, coinbase, kraken, oanda or ccxt: and an id',
    ],
    [{ exchange: 'coinbase', symbol: 'BTCUSD' }, 'feed.symbol: coinbase has no symbol like BTCUSD'],
    [{ exchange: 'kraken', symbol: 'btc/usd' }, 'feed.symbol: kraken has no symbol like btc/usd'],
    [{ exchange: 'oanda', symbol: 'EUR/USD' }, 'feed.symbol: oanda has no symbol like EUR/USD'],
    [
      {
        exchange: 'kraken',
        symbol: 'BTC/USD',
        witness: { exchange: 'kraken', symbol: 'BTC/USD', maxDeviationBp: 5 },
      },
      'feed.witness.exchange: must be another exchange',
    ],
    [
      {
        exchange: 'kraken',
        symbol: 'BTC/USD',
        witness: { exchange: 'coinbase', symbol: 'X', maxDeviationBp: 5 },
      },
      'feed.witness.symbol: coinbase has no symbol like X',
    ],
  ])('%j is rejected with one line', (feed, line) => {
    expect(findExchangeViolations(feed)).toEqual([line])
  })

  it('has a fingerprint of exchange and symbol, and says in its label what it can promise', () => {
    const sourceOf = (exchange: string, symbol: string) =>
      liveSourceOf(rowOf({ exchange, symbol }), exchanges, 'practice')
    expect(sourceOf('binance', 'BTC/USDT')).toMatchObject({
      kind: 'live',
      fingerprint: 'live:binance:BTCUSDT',
      label: 'live: binance BTCUSDT, every trade',
    })
    const elsewhere = new Exchanges({
      urls: { binance: 'ws://127.0.0.1:9100' },
      oandaToken: null,
      oandaAccount: null,
    })
    expect(
      liveSourceOf(rowOf({ exchange: 'binance', symbol: 'BTC/USDT' }), elsewhere, 'practice'),
    ).toMatchObject({
      fingerprint: 'live:binance:BTCUSDT@127.0.0.1:9100',
      label: 'live: binance BTCUSDT from 127.0.0.1:9100, every trade',
    })
    expect(sourceOf('oanda', 'EUR_USD').label).toBe(
      'live: oanda EUR_USD, the middle of bid and ask, at most four a second',
    )
    expect(sourceOf('ccxt:bybit', 'BTC/USDT')).toMatchObject({
      fingerprint: 'live:ccxt:bybit:BTC/USDT',
      label: 'live: ccxt:bybit BTC/USDT, missing trades cannot be noticed',
    })
  })

  it('has eight decimals of size if the table names none, and none for quotes', () => {
    expect(sizeDecimalsOf(rowOf({ exchange: 'binance', symbol: 'BTCUSDT' }))).toBe(8)
    expect(sizeDecimalsOf(rowOf({ exchange: 'oanda', symbol: 'EUR_USD' }))).toBe(0)
    expect(sizeDecimalsOf({ ...rowOf({ exchange: 'binance', symbol: 'BTCUSDT' }), sizeDecimals: 3 })).toBe(3)
  })

  it('follows the calendar of its hours, and is always open without them', () => {
    const parts = { clock: manualClock(), random: seededRandom(1), logLine: () => undefined }
    const hours = { zone: 'America/New_York', week: [['Sun 17:00', 'Fri 17:00']] }
    const sunday = Date.UTC(2026, 0, 4, 12)
    const open = (feed: Parameters<typeof rowOf>[0]) =>
      liveSourceOf(rowOf(feed), exchanges, 'practice').open(parts).tradingHoursAt(sunday).open
    expect(open({ exchange: 'oanda', symbol: 'EUR_USD', hours })).toBe(false)
    expect(open({ exchange: 'oanda', symbol: 'EUR_USD' })).toBe(true)
  })

  it('with a witness is two products that name each other, of one scale and one calendar', async () => {
    const hours = { zone: 'America/New_York', week: [['Sun 17:00', 'Fri 17:00']] }
    const witness = { exchange: 'oanda', symbol: 'EUR_USD', maxDeviationBp: 5 }
    const feed = { exchange: 'kraken', symbol: 'EUR/USD', hours, witness }
    const row = productRow('EURUSD', { priceDecimals: 5, durations: minute, feed })
    const live = { mode: 'practice' as const, urls: {}, oandaToken: 't', oandaAccount: '101-1' }
    const settings = { feed: 'live' as const, recordingsDir: '', closedPauseMs: 0, live }
    const [product, second] = await loadProducts(parseProducts([row]), settings)
    expect(product?.settings).toMatchObject({
      id: 'EURUSD',
      witness: { id: 'EURUSD~oanda', maxDeviationBp: 5 },
    })
    expect(second?.settings).toMatchObject({
      id: 'EURUSD~oanda',
      witnessOf: 'EURUSD',
      priceDecimals: 5,
      sizeDecimals: 0,
      durations: [],
      recommended: false,
    })
    expect(second?.source).toMatchObject({ kind: 'live', fingerprint: 'live:oanda:EUR_USD' })
    const parts = { clock: manualClock(), random: seededRandom(1), logLine: () => undefined }
    const source = second?.source.kind === 'live' ? second.source : null
    expect(source?.open(parts).tradingHoursAt(Date.UTC(2026, 0, 4, 12)).open).toBe(false)
  })

  it.each([
    [
      'no token of OANDA',
      { exchange: 'oanda', symbol: 'EUR_USD' },
      'practice',
      'a feed of oanda needs OANDA_TOKEN and OANDA_ACCOUNT',
    ],
    [
      'ccxt in live mode',
      { exchange: 'ccxt:bybit', symbol: 'BTC/USDT' },
      'live',
      'MODE=live takes no feed of ccxt',
    ],
  ] as const)('with %s stops the start', (_, feed, mode, line) => {
    const without = new Exchanges({ urls: {}, oandaToken: null, oandaAccount: null })
    expect(() => liveSourceOf(rowOf(feed), without, mode)).toThrow(line)
  })
})

const folder = mkdtempSync(join(tmpdir(), 'exchanges-'))
afterAll(() => rm(folder, { recursive: true }))
const addresses = (exchangeAddresses: Record<string, string>) => ({
  CONFIG_FILE: configFile(folder, { exchangeAddresses }, `${Object.keys(exchangeAddresses).join('-')}.json`),
})

describe('the settings of exchanges', () => {
  it('replace addresses and name the account of OANDA', () => {
    const { exchanges } = readSettings({
      ...addresses({ 'binance-usdm': 'ws://127.0.0.1:9100/', oanda: 'http://127.0.0.1:9101' }),
      OANDA_TOKEN: 'abc-def',
      OANDA_ACCOUNT: '101-004-1-001',
    })
    expect(exchanges).toEqual({
      urls: { 'binance-usdm': 'ws://127.0.0.1:9100', oanda: 'http://127.0.0.1:9101' },
      oandaToken: 'abc-def',
      oandaAccount: '101-004-1-001',
    })
    expect(readSettings({}).exchanges).toEqual({ urls: {}, oandaToken: null, oandaAccount: null })
  })

  it.each([
    [
      addresses({ kraken: 'http://127.0.0.1:1' }),
      'exchangeAddresses.kraken must be an address like ws://host:port',
    ],
    [
      addresses({ oanda: 'http://h/path' }),
      'exchangeAddresses.oanda must be an address like http://host:port',
    ],
    [{ OANDA_ACCOUNT: '../1' }, 'OANDA_ACCOUNT must be the number of an account'],
  ])('reject %j', (env, line) => {
    expect(() => readSettings(env as Record<string, string>)).toThrow(line)
  })
})

describe('a feed of ccxt', () => {
  const product = {
    id: 'P',
    exchange: 'ccxt:any',
    symbol: 'BTC/USDT',
    priceDecimals: 2,
    sizeDecimals: 3,
    tradingHoursAt: () => ({ open: true, opensAt: null, closesAt: null }),
  }

  it('says how to install the package, which the project does not depend on', async () => {
    await expect(loadCcxt()).rejects.toThrow(
      'the package ccxt is not installed: npm install --no-save ccxt@4',
    )
  })

  it('hands over the trades of the package, with prices from its digits', async () => {
    const clock = manualClock()
    const lines: string[] = []
    const trade = (id: string, price: string) => ({ id, timestamp: clock.now(), price, amount: '0.5' })
    const answers = [[trade('a', '10.01')], [trade('b', '10.02'), trade('c', '0')]]
    const closed: string[] = []
    class Any {
      number: unknown
      watchTrades = (): Promise<ReturnType<typeof trade>[]> => {
        const answer = answers.shift()
        return answer ? Promise.resolve(answer) : Promise.reject(new Error('over'))
      }
      close = async (): Promise<void> => void closed.push('closed')
    }
    const feed = ccxtFeed(
      product,
      { clock, random: seededRandom(1), logLine: (level, what) => lines.push(`${level}: ${what}`) },
      async () => ({
        pro: { any: Any },
      }),
    )
    await feed.start()
    await clock.advance(10)
    expect(feed.read(clock.now()).ticks).toMatchObject([{ sourceId: 'b', price: 1002, size: 500 }])
    expect(lines).toEqual([
      'warn: P: invalid tick dropped, c: 0 × 0.5, 1 so far',
      'warn: P: connection lost, over, 1 so far',
    ])
    await feed.close()
    expect(closed).toEqual(['closed'])
  })
})
