import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { VirtualTimeScheduler, lastValueFrom, of, queueScheduler, take, toArray } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { priceUnits, sizeUnits, epochMs } from '../../../contract/units.ts'
import { bucketOf } from '../../../contract/candles.ts'
import { parseRecording, type Recording } from '../../../contract/recording.ts'
import { decodeTicks } from '../../../contract/tickFrame.ts'
import {
  createReplayWire,
  createStreams,
  recordTicks,
  replayTicks,
  ticksOf,
  virtualClock,
  type Candle,
  type CandleEvent,
  type ReplayProduct,
  type Tick,
  type WireEvent,
} from '../../../streams/index.ts'
import { marblesWith } from '../../support/marbles.ts'
import { memoryPlacementStore, flushTimers } from '../../support/streamsSetup.ts'

const read = (file: string, priceDecimals: number): Recording =>
  parseRecording(gunzipSync(readFileSync(`streams/recordings/${file}`)).toString(), priceDecimals)

const minute = 60_000

const productOf = (id: string): ReplayProduct['product'] => ({
  id,
  code: id,
  category: 'crypto',
  names: { en: id },
  rateBp: 8500,
  recommended: true,
  source: 'recording',
  durations: [],
  maxTickGapMs: 15_000,
  entryTimeoutMs: 10_000,
  rule: 'R1',
  sources: [],
  refunds: { orders: 0, ahead: 0, behind: 0, level: 0, pnl: '0.00' },
})

const start = 1_700_000_001_000
const csv = [
  'ts_ms,price,size,bid,ask',
  `${start},10.00,1,,`,
  `${start + 5},10.01,2.5,,`,
  `${start + 5},10.02,1,,`,
  `${start + 12},9.99,0,,`,
].join('\n')

const recordedTicks = ({ at, price, size }: Recording): Tick[] =>
  Array.from(at, (instant, n) => ({
    seq: n + 1,
    at: epochMs(instant),
    price: priceUnits(price[n]!),
    size: sizeUnits(size[n]!),
  }))

function everySecond(count: number): Recording {
  const at = Float64Array.from({ length: count }, (_, n) => n * 1000)
  const ones = new Float64Array(count).fill(1)
  return { priceDecimals: 2, sizeDecimals: 0, at, price: ones, size: ones, kind: 'trades', skipped: 0 }
}

describe('closed times of a replay', () => {
  /** Ten ticks, an hour without any, ten more. */
  const twoSessions = (): Recording => {
    const whole = everySecond(20)
    return { ...whole, at: whole.at.map((instant, n) => (n < 10 ? instant : instant + 60 * minute)) }
  }

  it('are silences longer than the limit: a product event says so, and the product and its figures', async () => {
    const scheduler = new VirtualTimeScheduler()
    const product = { recording: twoSessions(), product: productOf('A'), closedMs: 10 * minute }
    const { wire, api, clock } = createReplayWire([product], { scheduler })
    const seen: unknown[] = []
    wire.event$.subscribe((event) => {
      if (event.kind === 'event' && event.name === 'product') seen.push(event.data)
    })
    const [closesAt, opensAt] = [9000, 10_000 + 60 * minute]
    wire.connect()
    await wire.subscribe(['A'], 'all')
    const playUntil = (instant: number): void => {
      scheduler.maxFrames = instant
      scheduler.flush()
    }
    playUntil(5000)
    expect(await api.product('A')).toMatchObject({ status: 'open', opensAt: null, closesAt })
    playUntil(30_000)
    expect(await api.product('A')).toMatchObject({ status: 'closed', opensAt, closesAt: null, lastAt: 9000 })
    expect(seen).toEqual([{ id: 'A', status: 'closed', opensAt, closesAt: null }])
    clock.seek(opensAt - 1000)
    playUntil(32_000)
    expect(await api.products()).toMatchObject([{ status: 'open', opensAt: null, closesAt: null }])
    expect(seen.slice(1)).toEqual([{ id: 'A', status: 'open', opensAt: null, closesAt: null }])
  })

  it('are not gaps, and a product without a limit is never closed', async () => {
    const product = { recording: twoSessions(), product: productOf('A') }
    const { api, clock } = createReplayWire([product], { scheduler: new VirtualTimeScheduler() })
    clock.seek(30_000)
    expect(await api.product('A')).toMatchObject({ status: 'open', opensAt: null, closesAt: null })
    const {
      api: limited,
      clock: later,
      faults,
    } = createReplayWire([{ recording: everySecond(3600), product: productOf('A'), closedMs: 10 * minute }], {
      scheduler: new VirtualTimeScheduler(),
    })
    faults.gap(60_000, 20 * minute)
    later.seek(15 * minute)
    expect(await limited.product('A')).toMatchObject({ status: 'open', closesAt: null })
  })
})

describe('replayTicks', () => {
  it('replays with the recorded spacing', () =>
    marblesWith(({ expectObservable }, scheduler) => {
      const recording = parseRecording(csv, 2)
      const [a, b, c, d] = recordedTicks(recording)
      const values = { a, b, c, d }
      expectObservable(replayTicks(recording, { scheduler })).toBe('a----(bc)---(d|)', values)
      expectObservable(replayTicks(recording, { scheduler, speed: 0.5 })).toBe('a 9ms (bc) 10ms (d|)', values)
    }))

  it('replays a million instants on virtual time', () => {
    const scheduler = new VirtualTimeScheduler()
    const recording = everySecond(1_000_000)
    let replayed = 0
    let ended = false
    replayTicks(recording, { scheduler }).subscribe({
      next: ({ seq }) => {
        replayed = seq
      },
      complete: () => {
        ended = true
      },
    })
    scheduler.flush()
    expect([replayed, ended, scheduler.frame]).toEqual([1_000_000, true, 999_999_000])
  })

  it('can be unsubscribed halfway through a million instants', () => {
    const scheduler = new VirtualTimeScheduler()
    let replayed = 0
    replayTicks(everySecond(1_000_000), { scheduler })
      .pipe(take(500_000))
      .subscribe(() => replayed++)
    scheduler.flush()
    expect([replayed, scheduler.frame]).toEqual([500_000, 499_999_000])
  })

  it('replays everything at once at an infinite speed, and no more than is taken', () => {
    const recording = everySecond(1000)
    const all: Tick[] = []
    replayTicks(recording, { scheduler: queueScheduler, speed: Infinity }).subscribe((tick) => all.push(tick))
    expect(all).toEqual(recordedTicks(recording))
    const some: Tick[] = []
    replayTicks(recording, { scheduler: queueScheduler, speed: Infinity })
      .pipe(take(3))
      .subscribe((tick) => some.push(tick))
    expect(some).toHaveLength(3)
  })

  it.each([0, -1, Number.NaN])('rejects a speed of %d', (speed) => {
    expect(() => replayTicks(everySecond(2), { speed })).toThrow(RangeError)
    expect(() => createReplayWire([], { speed })).toThrow(RangeError)
  })

  it('stops when unsubscribed', () =>
    marblesWith(({ expectObservable }, scheduler) => {
      const recording = parseRecording(csv, 2)
      const [a] = recordedTicks(recording)
      expectObservable(replayTicks(recording, { scheduler }), '^--!').toBe('a---', { a })
    }))
})

describe('recordTicks', () => {
  it('writes a recording that can be parsed', async () => {
    const recording = parseRecording(csv, 2)
    const lines = await lastValueFrom(
      of(...recordedTicks(recording)).pipe(recordTicks({ priceDecimals: 2, sizeDecimals: 1 }), toArray()),
    )
    expect(lines.slice(0, 3)).toEqual([
      'ts_ms,price,size,bid,ask',
      `${start},10.00,1.0,,`,
      `${start + 5},10.01,2.5,,`,
    ])
    expect(parseRecording(lines.join('\n'), 2)).toEqual(recording)
  })
})

/** Bars of a whole recording, computed independently of the code under test. */
function expectedBars(recording: Recording, until: number): Candle[] {
  const bars: Candle[] = []
  for (const { seq, at, price, size } of recordedTicks(recording)) {
    if (seq > until) break
    const openAt = bucketOf(at, minute)
    let bar = bars.at(-1)
    if (bar?.openAt !== openAt) {
      bar = { openAt, open: price, high: price, low: price, close: price, volume: 0, lastSeq: seq }
      bars.push(bar)
    }
    if (price > bar.high) bar.high = price
    if (price < bar.low) bar.low = price
    bar.close = price
    bar.volume += size
    bar.lastSeq = seq
  }
  const [p, s] = [10 ** recording.priceDecimals, 10 ** recording.sizeDecimals]
  return bars.map((bar) => ({
    ...bar,
    open: bar.open / p,
    high: bar.high / p,
    low: bar.low / p,
    close: bar.close / p,
    volume: bar.volume / s,
  }))
}

describe('createReplayWire at an infinite speed', () => {
  it('starts at the beginning, then continues at the end', () => {
    const scheduler = new VirtualTimeScheduler()
    const recording = parseRecording(csv, 2)
    const { wire } = createReplayWire([{ recording, product: productOf('BTCUSDT') }], {
      scheduler,
      speed: Infinity,
    })
    const events: WireEvent[] = []
    wire.event$.subscribe((event) => events.push(event))
    wire.connect()
    void wire.subscribe(['BTCUSDT'], 'all')
    scheduler.schedule(() => wire.disconnect(), 1500)
    scheduler.flush()
    const named = (name: string): unknown[] =>
      events.flatMap((event) => (event.kind === 'event' && event.name === name ? [event.data] : []))
    expect(named('hello')).toMatchObject([{ now: start }])
    expect(decodeTicks(named('ticks')[0])).toMatchObject({ blocks: [{ seq0: 2 }] })
    expect(named('feed')).toMatchObject([{ p: { BTCUSDT: { seq: 4, watermark: start + 1012 } } }])
  })
})

describe('createReplayWire on virtual time', () => {
  it('replays three hours, frame by frame, and ends', () => {
    const scheduler = new VirtualTimeScheduler()
    const lengthMs = 3 * 3_600_000
    const { wire } = createReplayWire([{ recording: everySecond(10_800), product: productOf('BTCUSDT') }], {
      scheduler,
    })
    let heartbeats = 0
    let newest: unknown
    wire.event$.subscribe((event) => {
      if (event.kind !== 'event' || event.name !== 'feed') return
      heartbeats += 1
      newest = event.data
    })
    wire.connect()
    void wire.subscribe(['BTCUSDT'], 'latest')
    scheduler.schedule(() => wire.disconnect(), lengthMs + 1)
    scheduler.flush()
    expect([heartbeats, scheduler.frame]).toEqual([10_800, lengthMs + 1])
    expect(newest).toMatchObject({ p: { BTCUSDT: { seq: 10_800 } } })
  })
})

describe('frames of a replay in which nothing changes', () => {
  /** One tick a minute. */
  const everyMinute = (ticks: number): Recording => {
    const whole = everySecond(ticks)
    return { ...whole, at: whole.at.map((_, n) => 1000 + n * minute) }
  }

  it('are left out, and a tick is sent in its own frame: after a seek and at another speed too', () => {
    const clock = virtualClock()
    const replayed = createReplayWire([{ recording: everyMinute(200), product: productOf('A') }], {
      scheduler: clock,
    })
    const sent: number[] = []
    replayed.wire.event$.subscribe((event) => {
      if (event.kind === 'event' && event.name === 'ticks') sent.push(clock.now())
    })
    replayed.wire.connect()
    void replayed.wire.subscribe(['A'], 'all')
    clock.advanceTo(minute + 10)
    expect(sent).toEqual([minute])
    // A tick is due at once after it, in the middle of a second.
    clock.advanceTo(minute + 320)
    replayed.clock.seek(1000 + 2 * minute)
    clock.advanceTo(minute + 420)
    expect(sent).toEqual([minute, minute + 370])
    replayed.clock.speed = 600
    clock.advanceTo(minute + 540)
    expect(sent).toHaveLength(3)
    replayed.clock.pause()
    clock.advanceTo(5 * minute)
    expect(sent).toHaveLength(3)
    replayed.clock.resume()
    clock.advanceTo(5 * minute + 110)
    expect(sent).toHaveLength(4)
  })
})

describe('recordings replayed through the hub', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('arrive unchanged, tick by tick and bar by bar, at any speed and through outages', async () => {
    const eth = read('ETHUSDT_binance_spot_2024-08-08T2354.csv.gz', 2)
    const btc = read('BTCUSDT_binance_spot_2024-08-08T2354.csv.gz', 2)
    const { wire, api } = createReplayWire(
      [
        { recording: eth, product: productOf('ETHUSDT') },
        { recording: btc, product: productOf('BTCUSDT') },
      ],
      { speed: 20 },
    )
    const never = (): Promise<never> => new Promise(() => undefined)
    const streams = createStreams({
      wire,
      api: {
        ...api,
        positions: never,
        order: never,
        proof: never,
        place: never,
        orderByKey: never,
        assets: never,
        messages: never,
        readMessages: never,
      },
      placementStore: memoryPlacementStore(),
      newKey: () => 'key',
      monotonic: () => performance.now(),
    })
    const ticks: Tick[] = []
    const events: CandleEvent[] = []
    streams.run$('ETHUSDT').subscribe((run) => ticks.push(...ticksOf(run)))
    streams.candles('BTCUSDT', '1m').events$.subscribe((event) => events.push(event))
    for (let i = 0; i < 120; i++) {
      await flushTimers(500)
      if (i % 7 === 6) {
        wire.disconnect()
        await flushTimers(200)
        wire.connect()
      }
    }
    const replayed = recordedTicks(eth)
    const first = ticks[0]!.seq
    expect(ticks.at(-1)!.seq).toBe(replayed.length)
    expect(ticks).toEqual(replayed.slice(first - 1))
    const bars: Candle[] = []
    for (const event of events) {
      if (event.kind === 'snapshot') bars.push(...event.candles)
      else if (event.kind === 'live') {
        if (bars.at(-1)?.openAt === event.candle.openAt) bars.pop()
        bars.push(event.candle)
      }
    }
    expect(events.filter((event) => event.kind === 'snapshot')).toHaveLength(1)
    expect(bars).toEqual(expectedBars(btc, btc.at.length))
    streams.close()
    expect(vi.getTimerCount()).toBe(0)
  })
})
