import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  bucketOf,
  timeframeNames,
  timeframes,
  type Candle,
  type Timeframe,
} from '../../../../contract/candles.ts'
import { changeBp, formatUnits } from '../../../../contract/price.ts'
import { dayMs, hourMs, minuteMs } from '../../../../contract/time.ts'
import { isThin } from '../../../../server/market/candles/ticker.ts'
import { MinuteBuckets } from '../../../../server/market/candles/minuteBuckets.ts'
import type { Database } from '../../../../server/platform/db/open.ts'
import { withDatabase } from '../../../support/withVenue.ts'
import type { ComputedFeed } from '../../../../server/market/feed/feed.ts'
import type { RunningMarket } from '../../../../server/market/market.ts'
import { fakeExchange } from '../../../support/fakeExchange.ts'
import { manualClock, type ManualClock } from '../../../support/manualClock.ts'
import {
  csvOf,
  scriptedFeed,
  openMarket,
  productOf,
  replayedProduct,
  syntheticProduct,
} from '../../../support/marketFixtures.ts'

const start = Date.UTC(2026, 0, 5, 1, 56, 20)
type RawTick = { seq: number; at: number; price: number; size: number }

let database: Database
let clock: ManualClock
let running: RunningMarket | null = null
beforeEach(async () => {
  database = await withDatabase()
  clock = manualClock(start)
})
afterEach(async () => {
  await running?.stop()
})

/** A sparse recording with a pause of an hour in it: 250 ticks in half an hour, then 150 more. */
const csv = csvOf(
  Array.from({ length: 400 }, (_, i) => [
    i * 7300 + (i >= 250 ? hourMs : 0),
    (100 + Math.sin(i / 20) * 3 + (i % 9) / 100).toFixed(2),
    `${(i * 13) % 40}.${i % 10}`,
  ]),
)
const product = replayedProduct('LOOP', csv)
const feed: ComputedFeed = product.source.open(start - dayMs)

async function open(): Promise<RunningMarket> {
  await running?.stop()
  running = await openMarket(database.db, clock, [product], { everyMs: 1000 })
  running.start()
  return running
}

/** Every tick that clients can read: computed ones before the first start, then those of the logged runs. */
function history(runs: readonly (readonly [from: number, to: number])[]): RawTick[] {
  const computed = feed.countAt(start)
  const ticks: RawTick[] = Array.from({ length: computed }, (_, n) => ({
    seq: n + 1 - computed,
    ...feed.tickOf(n),
  }))
  for (const [from, to] of runs) {
    for (let n = feed.countAt(from); n < feed.countAt(to); n++) {
      ticks.push({ seq: Math.max(0, ticks.at(-1)!.seq) + 1, ...feed.tickOf(n) })
    }
  }
  return ticks
}

function candlesOf(ticks: readonly RawTick[], tfMs: number): Candle[] {
  const candles = new Map<number, Candle>()
  for (const { seq, at, price, size } of ticks) {
    const openAt = bucketOf(at, tfMs)
    const candle = candles.get(openAt)
    if (candle === undefined) {
      candles.set(openAt, {
        openAt,
        open: price,
        high: price,
        low: price,
        close: price,
        volume: size,
        lastSeq: seq,
      })
      continue
    }
    candle.high = Math.max(candle.high, price)
    candle.low = Math.min(candle.low, price)
    candle.close = price
    candle.volume += size
    candle.lastSeq = seq
  }
  const decimal = (units: number, decimals: number): number => Number(formatUnits(units, decimals))
  return [...candles.values()].map(({ open, high, low, close, volume, ...rest }) => ({
    ...rest,
    open: decimal(open, 2),
    high: decimal(high, 2),
    low: decimal(low, 2),
    close: decimal(close, 2),
    volume: decimal(volume, 1),
  }))
}

/** The expected 24-hour ticker in the contract's format. */
function tickerOf(ticks: readonly RawTick[], now: number) {
  const from = bucketOf(now, 60_000) - dayMs
  const inside = ticks.filter(({ at }) => at >= from)
  const last = ticks.at(-1)!
  const base = (ticks.findLast(({ at }) => at < from) ?? ticks[0]!).price
  const prices = inside.map(({ price }) => price)
  const turnover = inside.reduce((sum, { price, size }) => sum + BigInt(price) * BigInt(size), 0n)
  const volume = formatUnits(
    inside.reduce((sum, { size }) => sum + size, 0),
    1,
  ).replace(/\.0$/, '')
  return {
    last: formatUnits(last.price, 2),
    lastAt: last.at,
    change24hBp: changeBp(last.price, base),
    high24h: formatUnits(
      prices.reduce((a, b) => Math.max(a, b)),
      2,
    ),
    low24h: formatUnits(
      prices.reduce((a, b) => Math.min(a, b)),
      2,
    ),
    volume24h: volume,
    amount24h: formatUnits(Number(turnover / 10n), 2),
  }
}

async function expectCandles(
  market: RunningMarket,
  ticks: readonly RawTick[],
  frames: readonly Timeframe[] = ['15s', '1m', '1h', '1d'],
): Promise<void> {
  for (const tf of frames) {
    const all = candlesOf(ticks, timeframes[tf])
    expect(await market.candles('LOOP', tf, clock.now() + 1, 5000), tf).toEqual(all.slice(-5000))
    // Backwards page by page, as a chart scrolls.
    const paged: Candle[] = []
    for (let to = clock.now() + 1; ; to = paged[0]!.openAt) {
      const page = await market.candles('LOOP', tf, to, 333)
      if (page.length === 0) break
      paged.unshift(...page)
    }
    expect(paged, `${tf} in pages`).toEqual(all)
  }
}

describe('tickers and candles', () => {
  it('match the ticks at the first start, over restarts, and long after', async () => {
    const first = await open()
    const runs: [number, number][] = [[start, start]]
    expect(first.ticker('LOOP')).toMatchObject(tickerOf(history(runs), clock.now()))
    await expectCandles(first, history(runs))

    await clock.advance(40_000)
    runs[0]![1] = first.watermark('LOOP')
    await clock.advance(20_000)
    const second = await open()
    runs[0]![1] = (await second.gaps('LOOP'))[0]?.from ?? clock.now()
    runs.push([clock.now(), clock.now()])
    expect(second.ticker('LOOP')).toMatchObject(tickerOf(history(runs), clock.now()))
    await expectCandles(second, history(runs))

    await clock.advance(75 * 60_000 + 7000)
    runs[1]![1] = second.watermark('LOOP')
    expect(second.ticker('LOOP')).toMatchObject(tickerOf(history(runs), clock.now()))
    await expectCandles(second, history(runs))

    await second.stop()
    runs[1]![1] = second.watermark('LOOP')
    await clock.advance(61_000)
    runs.push([clock.now(), clock.now()])
    const third = await open()
    await clock.advance(61_000)
    runs[2]![1] = third.watermark('LOOP')
    expect(third.ticker('LOOP')).toMatchObject(tickerOf(history(runs), clock.now()))
    await expectCandles(third, history(runs))

    await third.stop()
    runs[2]![1] = third.watermark('LOOP')
    await clock.advance(40 * hourMs)
    runs.push([clock.now(), clock.now()])
    const fourth = await open()
    await expectCandles(fourth, history(runs))
    await clock.advance(125_000)
    runs[3]![1] = fourth.watermark('LOOP')
    expect(fourth.ticker('LOOP')).toMatchObject(tickerOf(history(runs), clock.now()))
    await expectCandles(fourth, history(runs), timeframeNames)
  })

  it('include a spark of 48 half-hour closes, which repeats the price if there was no tick', async () => {
    const market = await open()
    await clock.advance(5000)
    const ticks = history([[start, market.watermark('LOOP')]])
    const halfMs = 1_800_000
    const from = bucketOf(clock.now(), halfMs) - 47 * halfMs
    const closes = Array.from({ length: 48 }, (_, i) => {
      const end = from + (i + 1) * halfMs
      return (ticks.findLast(({ at }) => at < end) ?? ticks[0]!).price / 100
    })
    expect(await market.spark('LOOP')).toEqual(closes)
  })
})

describe('ticks before and after the first start', () => {
  it('are computed up to seq 0 without a head, logged after it, and never in the same answer', async () => {
    const market = await open()
    await clock.advance(90_000)
    const ticks = history([[start, market.watermark('LOOP')]])
    const wire = ticks.map(({ seq, at, price, size }) => [
      seq,
      at,
      formatUnits(price, 2),
      formatUnits(size, 1).replace(/\.0$/, ''),
    ])
    const all = await market.ticksBetween('LOOP', 0, clock.now(), 5000)
    const computed = wire.filter(([seq]) => Number(seq) <= 0)
    expect(all).toEqual({ ticks: computed.slice(0, 5000), complete: false, before: null })
    expect(computed.length).toBeGreaterThan(5000)
    expect((await market.ticksAfter('LOOP', -4, 2)).ticks).toEqual(computed.slice(-4, -2))
    expect(await market.ticksAfter('LOOP', -4, 4)).toEqual({
      ticks: computed.slice(-4),
      complete: false,
      before: null,
    })
    const live = await market.ticksAfter('LOOP', 0, 5000)
    expect(live.ticks).toEqual(wire.filter(([seq]) => Number(seq) > 0))
    expect(live).toMatchObject({ complete: true, before: { seq: 0 } })
    const around = await market.ticksBetween('LOOP', start - 20_000, start + 20_000, 5000)
    expect(around.ticks).toEqual(computed.filter(([, at]) => Number(at) >= start - 20_000))
    expect(around.complete).toBe(false)
    expect((await market.ticksBetween('LOOP', start - 20_000, start - 1, 5000)).complete).toBe(true)
    const after = await market.ticksBetween('LOOP', start + 1, start + 20_000, 5000)
    expect(after.ticks.map(([seq]) => seq)).toEqual([1, 2, 3].slice(0, after.ticks.length))
    expect(after).toMatchObject({ complete: true, before: { seq: 0 } })
    expect(await market.firstTick('LOOP', 0, start)).toBeNull()
    expect(await market.lastTick('LOOP', start)).toBeNull()
  })

  it('are no longer computed after the recording changed, while the log stays', async () => {
    const before = await open()
    await clock.advance(60_000)
    const head = before.head('LOOP')
    await before.stop()
    running = await openMarket(database.db, clock, [replayedProduct('LOOP', csv.replace('100.00', '100.01'))])
    expect((await running.ticksAfter('LOOP', -10, 5000)).ticks[0]?.[0]).toBe(1)
    expect(running.head('LOOP')).toEqual(head)
  })
})

describe('firstTick and lastTick', () => {
  it('return the first and the last tick of a time, from memory and from chunks', async () => {
    const fast = syntheticProduct('FAST', 100)
    running = await openMarket(database.db, clock, [fast], { everyMs: 1000 })
    running.start()
    await clock.advance(100_000)
    const firstPage = await running.ticksAfter('FAST', 0, 5000)
    const secondPage = await running.ticksAfter('FAST', 5000, 5000)
    const all = [...firstPage.ticks, ...secondPage.ticks]
    const toSettleTick = (tick: (typeof all)[number] | undefined) =>
      tick ? { seq: tick[0], at: tick[1], price: Math.round(Number(tick[2]) * 100) } : null
    expect(all.length).toBeGreaterThan(9000)
    for (let t = start - 5; t < start + 99_000; t += 3333) {
      const first = all.find(([, at]) => at > t && at <= t + 4)
      expect(await running.firstTick('FAST', t, t + 4)).toEqual(toSettleTick(first))
      expect(await running.firstTick('FAST', t, t + 1000)).toEqual(toSettleTick(all.find(([, at]) => at > t)))
      expect(await running.lastTick('FAST', t)).toEqual(toSettleTick(all.findLast(([, at]) => at <= t)))
    }
  })

  it('ticksUntil returns every tick of a time, and more from before it if they are too few', async () => {
    const fast = syntheticProduct('FAST', 100)
    const market = await openMarket(database.db, clock, [fast], { everyMs: 1000 })
    running = market
    market.start()
    await clock.advance(100_000)
    const pages = [await market.ticksAfter('FAST', 0, 5000), await market.ticksAfter('FAST', 5000, 5000)]
    const all = pages.flatMap(({ ticks }) => ticks)
    const seqs = async (after: number, until: number, min: number) =>
      (await market.ticksUntil('FAST', after, until, min)).map(({ seq }) => seq)
    for (let t = start - 5; t < start + 99_000; t += 3333) {
      const known = all.filter(([, at]) => at <= t)
      const inTime = known.filter(([, at]) => at > t - 10_000)
      for (const [after, min] of [
        [t - 10_000, 5],
        [t - 10_000, 5000],
        [t - 1, 3],
        [t + 50, 1],
      ] as const) {
        const expected = known.slice(-Math.max(min, after === t - 10_000 ? inTime.length : 0))
        const between = known.filter(([, at]) => at > after)
        const wanted = between.length >= min ? between : expected
        expect(await seqs(after, t, min)).toEqual(wanted.map(([seq]) => seq))
      }
    }
    const [first] = await market.ticksUntil('FAST', start, start + 99_000, 1)
    const [seq, at, price] = all.find((tick) => tick[1] > start)!
    expect(first).toEqual({ seq, at, price: Math.round(Number(price) * 100) })
  })
})

it('returns the opening price and no volume for a product without ticks', async () => {
  running = await openMarket(database.db, clock, [productOf('MUTE', scriptedFeed([]))])
  expect(running.ticker('MUTE')).toEqual({
    id: 'MUTE',
    last: '1.00',
    lastAt: start,
    change24hBp: 0,
    high24h: '1.00',
    low24h: '1.00',
    volume24h: '0',
    amount24h: '0.00',
    status: 'open',
    opensAt: null,
    closesAt: null,
  })
  expect(await running.candles('MUTE', '1m', clock.now() + 1, 10)).toEqual([])
  expect(await running.spark('MUTE')).toEqual(Array.from({ length: 48 }, () => 1))
})

it('a live product has no sparkline before its first tick, and a flat one after it', async () => {
  const exchange = fakeExchange(clock)
  running = await openMarket(database.db, clock, [productOf('LIVE', exchange.source)], { everyMs: 250 })
  running.start()
  expect(await running.spark('LIVE')).toEqual([])
  exchange.trade(10_000)
  await clock.advance(1000)
  expect(new Set(await running.spark('LIVE')).size).toBe(1)
})

describe('whether a product is thin', () => {
  /** Minutes with so many ticks each, and one that has just begun. */
  function minutesWith(count: number, ticks: number): MinuteBuckets {
    const buckets = new MinuteBuckets()
    for (let n = 0; n < count * ticks; n++)
      buckets.add(n + 1, Math.floor(n / ticks) * minuteMs + (n % ticks), 100, 1)
    buckets.add(count * ticks + 1, count * minuteMs, 100, 1)
    return buckets
  }
  it.each([
    [29, true],
    [30, false],
  ])('with %i ticks a minute: %s', (ticks, thin) => expect(isThin(minutesWith(60, ticks))).toBe(thin))
  it('is not said of a product that is new', () => expect(isThin(minutesWith(10, 1))).toBe(false))
})
