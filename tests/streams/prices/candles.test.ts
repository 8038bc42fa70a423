import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { bucketOf, timeframes, type Timeframe } from '../../../contract/candles.ts'
import type { Candle, CandleEvent, Tick } from '../../../streams/index.ts'
import { withoutHoles } from '../../../streams/prices/holes.ts'
import type { RestCandle } from '../../../contract/products.ts'
import { apiFailure } from '../../support/fakeWireMarket.ts'
import { streamsSetup, flushTimers } from '../../support/streamsSetup.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const minute = 60_000

/** The expected bars, computed independently of the code under test. */
function expectedBars(ticks: readonly Tick[], tfMs = minute): Candle[] {
  const bars = new Map<number, Tick[]>()
  for (const tick of ticks) {
    const openAt = bucketOf(tick.at, tfMs)
    bars.set(openAt, [...(bars.get(openAt) ?? []), tick])
  }
  return [...bars].map(([openAt, own]) => ({
    openAt,
    open: own[0]!.price / 100,
    high: Math.max(...own.map((tick) => tick.price)) / 100,
    low: Math.min(...own.map((tick) => tick.price)) / 100,
    close: own.at(-1)!.price / 100,
    volume: own.reduce((sum, tick) => sum + tick.size, 0),
    lastSeq: own.at(-1)!.seq,
  }))
}

const rows = (bars: readonly Candle[]): RestCandle[] =>
  bars.map((bar) => [bar.openAt, bar.open, bar.high, bar.low, bar.close, bar.volume, bar.lastSeq])

/** The bars that a chart shows after these events; throws if they are out of order. */
function shownBars(events: readonly CandleEvent[]): Candle[] {
  let bars: Candle[] = []
  for (const event of events) {
    if (event.kind === 'snapshot') bars = [...event.candles]
    else if (event.kind === 'older') bars = [...event.candles, ...bars]
    else {
      const last = bars.at(-1)
      if (last && event.candle.openAt < last.openAt) throw new Error('an older bar arrived live')
      if (last?.openAt === event.candle.openAt) bars.pop()
      bars.push(event.candle)
    }
  }
  return bars
}

function setupChart(tf: Timeframe = '1m') {
  const requests: [to: number | undefined, limit: number][] = []
  /** Called before the next answer, and may replace it. */
  const answers: (() => Promise<RestCandle[] | undefined>)[] = []
  const parts = streamsSetup(['A'], {
    candles: async (_id, _tf, to, limit) => {
      requests.push([to, limit])
      const replacement = await answers.shift()?.()
      if (replacement) return replacement
      if (parts.market.failure) throw parts.market.failure
      const before = (parts.market.log.get('A') ?? []).filter((tick) => tick.at < (to ?? Infinity))
      return rows(expectedBars(before, timeframes[tf])).slice(-limit)
    },
  })
  const events: CandleEvent[] = []
  const feed = parts.streams.candles('A', tf)
  const trade = (count: number, everyMs: number): void => {
    for (let i = 0; i < count; i++) {
      parts.market.now += everyMs
      parts.market.tick('A', 10_000 + ((i * 37) % 50), 1 + (i % 3))
    }
  }
  const expected = (): Candle[] => expectedBars(parts.market.log.get('A') ?? [], timeframes[tf])
  return { ...parts, events, feed, trade, expected, requests, answers }
}

describe('candles', () => {
  it('join the snapshot with the ticks that arrive meanwhile, each counted once', async () => {
    const { transport, market, feed, events, trade, expected, answers } = setupChart()
    trade(50, 7000)
    let release = (): void => undefined
    answers.push(() => new Promise((resolve) => (release = () => resolve(undefined))))
    transport.up()
    feed.events$.subscribe((event) => events.push(event))
    await flushTimers()
    trade(5, 100)
    market.flush()
    release()
    await flushTimers()
    expect(events[0]?.kind).toBe('snapshot')
    trade(30, 9000)
    market.flush()
    expect(shownBars(events)).toEqual(expected())
  })

  it('are fetched again if the snapshot is older than the ticks', async () => {
    const { transport, market, feed, events, trade, expected, requests, answers } = setupChart()
    trade(10, 7000)
    const old = rows(expectedBars(market.log.get('A')!.slice(0, 5)))
    // A snapshot from before the head, for example from a cache in between.
    answers.push(async () => {
      await Promise.resolve()
      trade(3, 1000)
      market.flush()
      return old
    })
    transport.up()
    feed.events$.subscribe((event) => events.push(event))
    await flushTimers(100)
    expect(shownBars(events.slice(0, 1))).toEqual(expectedBars(market.log.get('A')!.slice(0, 5)))
    await flushTimers(1000)
    expect(requests).toHaveLength(2)
    expect(shownBars(events)).toEqual(expected())
  })

  it('are shown before the ticks start, and fetched again only if ticks came in between', async () => {
    const { transport, market, feed, events, trade, expected, requests } = setupChart()
    trade(10, 7000)
    feed.events$.subscribe((event) => events.push(event))
    await flushTimers()
    expect(shownBars(events)).toEqual(expected())
    transport.up()
    await flushTimers()
    trade(3, 1000)
    market.flush()
    expect(shownBars(events)).toEqual(expected())
    expect(requests).toHaveLength(1)
    const again = setupChart()
    again.trade(10, 7000)
    again.feed.events$.subscribe((event) => again.events.push(event))
    await flushTimers()
    again.trade(3, 1000)
    again.transport.up()
    await flushTimers()
    expect(shownBars(again.events)).toEqual(again.expected())
    expect(again.requests).toEqual([
      [undefined, 300],
      [undefined, 30],
    ])
  })

  it.each([
    { minutes: 29, requests: [300, 30] },
    { minutes: 31, requests: [300, 30, 300] },
  ])('are fetched whole again only if the newest do not reach the known ones: $minutes min', async (row) => {
    const { transport, market, feed, events, trade, expected, requests } = setupChart()
    trade(200, 20_000)
    market.now = Math.ceil(market.now / 60_000) * 60_000
    trade(1, 1000)
    feed.events$.subscribe((event) => events.push(event))
    await flushTimers()
    trade(row.minutes * 3, 20_000)
    transport.up()
    await flushTimers()
    expect(requests.map(([, limit]) => limit)).toEqual(row.requests)
    expect(shownBars(events)).toEqual(expected())
    trade(30, 9000)
    market.flush()
    expect(shownBars(events)).toEqual(expected())
  })

  it('load older pages, one at a time, until there are none', async () => {
    const { transport, feed, events, trade, expected, requests } = setupChart()
    trade(1200, minute)
    transport.up()
    feed.events$.subscribe((event) => events.push(event))
    await flushTimers()
    expect(shownBars(events)).toHaveLength(300)
    feed.loadOlder()
    feed.loadOlder()
    await flushTimers()
    expect(requests).toHaveLength(2)
    feed.loadOlder()
    await flushTimers()
    expect(events.map((event) => (event.kind === 'older' ? event.done : event.kind))).toEqual([
      'snapshot',
      false,
      true,
    ])
    expect(shownBars(events)).toEqual(expected())
  })

  it('can load an older page again after a failure', async () => {
    const { transport, market, feed, events, trade, expected } = setupChart()
    trade(400, minute)
    transport.up()
    feed.events$.subscribe((event) => events.push(event))
    await flushTimers()
    market.failure = { kind: 'offline' }
    feed.loadOlder()
    await flushTimers()
    market.failure = undefined
    feed.loadOlder()
    await flushTimers()
    expect(shownBars(events)).toEqual(expected())
  })

  it('continue through an outage, and restart if it was too long to fill', async () => {
    const { transport, feed, events, trade, expected } = setupChart()
    trade(20, 7000)
    transport.up()
    feed.events$.subscribe((event) => events.push(event))
    await flushTimers()
    transport.down()
    trade(20, 7000)
    transport.up()
    await flushTimers()
    expect(shownBars(events)).toEqual(expected())
    expect(events.filter((event) => event.kind === 'snapshot')).toHaveLength(1)
    transport.down()
    trade(20_100, 10)
    transport.up()
    await flushTimers()
    expect(events.filter((event) => event.kind === 'snapshot')).toHaveLength(2)
    expect(shownBars(events)).toEqual(expected())
  })

  it('are retried after a transient failure, but not after a rejection', async () => {
    const { transport, market, streams, feed, events, trade, expected, requests } = setupChart()
    trade(20, 7000)
    market.failure = { kind: 'timeout' }
    transport.up()
    feed.events$.subscribe((event) => events.push(event))
    await flushTimers(3000)
    expect(events).toEqual([])
    market.failure = undefined
    await flushTimers(8000)
    expect(shownBars(events)).toEqual(expected())
    market.failure = apiFailure(404, 'NOT_FOUND')
    transport.up()
    await flushTimers()
    const before = requests.length
    streams.candles('A', '5m').events$.subscribe()
    await flushTimers(60_000)
    expect(requests).toHaveLength(before + 1)
  })

  it('begin with the first tick of a product without ticks', async () => {
    const { transport, market, feed, events, trade, expected } = setupChart()
    transport.up()
    feed.events$.subscribe((event) => events.push(event))
    await flushTimers()
    trade(4, 20_000)
    market.flush()
    expect(events[0]).toEqual({ kind: 'snapshot', candles: [] })
    expect(shownBars(events)).toEqual(expected())
  })

  it('under a minute have no holes, in the snapshot, live and where pages join', async () => {
    const { transport, market, feed, events, trade, expected, answers, requests } = setupChart('1s')
    trade(700, 2300)
    transport.up()
    feed.events$.subscribe((event) => events.push(event))
    await flushTimers()
    trade(3, 4100)
    market.flush()
    trade(2, 302_000)
    market.flush()
    // An answer with fewer bars than requested is not the last one.
    answers.push(async () =>
      rows(expected())
        .filter(([at]) => at < requests.at(-1)![0]!)
        .slice(-50),
    )
    for (let page = 0; page < 3; page++) {
      feed.loadOlder()
      await flushTimers()
    }
    const shown = shownBars(events)
    expect(shown).toEqual(withoutHoles(expected(), 1000))
    const steps = new Set(shown.slice(1).map((bar, i) => bar.openAt - shown[i]!.openAt))
    expect([...steps]).toEqual([1000, 302_000])
    expect(events.flatMap((event) => (event.kind === 'older' ? [event.done] : []))).toEqual([
      false,
      false,
      true,
    ])
  })

  it('under a minute go on at the last price as far as the venue says that there was no tick', async () => {
    const { transport, market, feed, events, trade, expected } = setupChart('1s')
    trade(20, 1300)
    transport.up()
    feed.events$.subscribe((event) => events.push(event))
    await flushTimers()
    const flat = () => withoutHoles(expected(), 1000, bucketOf(market.now, 1000))
    market.now += 3700
    expect(shownBars(events)).toEqual(withoutHoles(expected(), 1000))
    market.heartbeat()
    expect(shownBars(events)).toEqual(flat())
    market.now += 2000
    market.heartbeat()
    expect(shownBars(events)).toEqual(flat())
    // A tick that has not arrived says that the seconds before it are not known yet.
    const before = shownBars(events)
    trade(1, 2500)
    market.now += 2000
    transport.event('feed', {
      at: market.now,
      p: { A: { watermark: market.now, status: 'live', seq: 21, hash: '0'.repeat(64) } },
    })
    expect(shownBars(events)).toEqual(before)
    market.flush()
    await flushTimers()
    expect(shownBars(events)).toEqual(withoutHoles(expected(), 1000))
    // The market is closed.
    market.now += 301_000
    market.heartbeat()
    expect(shownBars(events)).toEqual(withoutHoles(expected(), 1000))
  })

  it('from a minute on wait for the next tick', async () => {
    const { transport, market, feed, events, trade, expected } = setupChart()
    trade(20, 7000)
    transport.up()
    feed.events$.subscribe((event) => events.push(event))
    await flushTimers()
    market.now += 180_000
    market.heartbeat()
    expect(shownBars(events)).toEqual(expected())
  })
})
