import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { firstValueFrom, toArray } from 'rxjs'
import { test as plainTest, describe, expect, it, vi } from 'vitest'
import { formatRecording, parseRecording, priceDecimalsOf } from 'uptick'
import { ticks, toMarbles } from 'uptick/marbles'
import { createReplayWire, openReplay, replayProduct, replayTicks, virtualClock } from 'uptick/replay'
import { market } from 'uptick/vitest'
import { aligned } from '../../streams/index.ts'

const day = plainTest.extend(market({ IF: 'streams/recordings/IF2101_2021-01-04.csv.gz' }))
const test = plainTest.extend(
  market({ BTC: 'streams/recordings/BTCUSD_PERP_binance_coinm_2024-08-08T2354.csv.gz' }),
)

vi.setConfig({ testTimeout: 1 })
const onShortLimit = plainTest.extend(market({ IF: 'streams/recordings/IF2101_2021-01-04.csv.gz' }))

const start = 1_700_000_001_000
const csv = [
  'ts_ms,price,size,bid,ask',
  `${start},10.00,1,,`,
  `${start + 5},10.01,2.5,,`,
  `${start + 60_000},10.1,3,,`,
  '',
].join('\n')

describe('a recorded day', () => {
  onShortLimit('may take longer than Vitest’s own limit for a test', async ({ market, task }) => {
    await market.play('1m')
    expect(task.timeout).toBe(120_000)
  })

  day('plays in the app’s streams on virtual time', async ({ market }) => {
    await market.play('1m')
    const early = market.quote()!
    await market.seek('3h')
    await market.play('3h')
    const late = market.quote()!
    expect(late.seq).toBeGreaterThan(early.seq)
    expect(late.at).toBeLessThanOrEqual(market.now())
    expect(late.stale).toBe(false)
  })

  day('plays to its end, tick by tick', async ({ market }) => {
    const start = market.now()
    await market.seek('4.5h')
    const csv = gunzipSync(readFileSync('streams/recordings/IF2101_2021-01-04.csv.gz')).toString()
    const { at } = parseRecording(csv, priceDecimalsOf(csv))
    let ticks = 0
    market.streams.run$('IF').subscribe(({ values }) => void (ticks += values.length / 3))
    await market.play('24h')
    expect(market.quote()).toMatchObject({ seq: at.length, at: at.at(-1), stale: false })
    expect(ticks).toBe(at.filter((time) => time > start + 4.5 * 3_600_000).length)
  })

  test('has a gap without ticks, in which quotes are stale', async ({ market }) => {
    const before = market.now()
    market.gap('10s', '20s')
    await market.play('16s')
    expect(market.quote()).toMatchObject({ stale: true, feed: 'stale' })
    expect(market.quote()!.at).toBeLessThanOrEqual(before + 10_000)
    await market.play('30s')
    expect(market.quote()).toMatchObject({ stale: false, feed: 'live' })
    expect(market.quote()!.at).toBeGreaterThan(before + 20_000)
  })

  test('goes on without a hole after a silence and a broken line', async ({ market }) => {
    const seqs: number[] = []
    market.streams.run$('BTC').subscribe(({ seq0, values }) => {
      for (let i = 0; i < values.length / 3; i++) seqs.push(seq0 + i)
    })
    market.stale('5s', '10s')
    market.cut('20s', '25s')
    await market.play('9.5s')
    expect(market.quote()?.stale).toBe(true)
    await market.play('15s')
    expect(market.quote()?.stale).toBe(false)
    await market.play('60s')
    const first = seqs[0]!
    expect(seqs).toEqual(seqs.map((_, i) => first + i))
    expect(seqs.length).toBeGreaterThan(60)
  })

  test('only seeks forward', async ({ market }) => {
    await market.play('5s')
    await expect(market.seek('2s')).rejects.toThrow(RangeError)
    expect(() => market.gap('1s', '4s')).toThrow(RangeError)
  })
})

describe('recordings', () => {
  it('are written as they were read', () => {
    const recording = parseRecording(csv, priceDecimalsOf(csv))
    expect(recording.priceDecimals).toBe(2)
    expect(parseRecording(formatRecording(recording), 2)).toEqual(recording)
  })

  it('replay with a virtual clock, in a market of their own too', async () => {
    const recording = parseRecording(csv, 2)
    const clock = virtualClock()
    const all = firstValueFrom(replayTicks(recording, { scheduler: clock, speed: 20 }).pipe(toArray()))
    clock.advanceTo(3000)
    expect((await all).map(({ at }) => at)).toEqual([start, start + 5, start + 60_000])
    const replayed = openReplay([replayProduct('A', recording)])
    await replayed.play('61s')
    expect(replayed.quote('A')).toMatchObject({ seq: 3, price: 1010 })
    replayed.close()
  })
})

describe('marbles', () => {
  it('are ticks, and back', async () => {
    const clock = virtualClock()
    const prices = { a: 100.01, b: 100.02, c: 100.03, d: 100.04 }
    const all = firstValueFrom(ticks('a-b--(cd) 20ms a|', prices, { scheduler: clock }).pipe(toArray()))
    clock.advanceTo(100)
    const [first, ...rest] = await all
    expect(first).toEqual({ seq: 1, at: 0, price: 10_001, size: 1 })
    expect(rest.map(({ seq, at }) => [seq, at])).toEqual([
      [2, 2],
      [3, 5],
      [4, 5],
      [5, 29],
    ])
    expect(toMarbles([first!, ...rest])).toEqual({ marbles: 'a-b--(cd) 20ms a', prices })
  })

  it('are emitted at once without a scheduler: never in real time unasked', () => {
    const seen: unknown[] = []
    ticks('a 5s b|', { a: 1, b: 2 }).subscribe({
      next: ({ at, price }) => seen.push([at, price]),
      complete: () => seen.push('complete'),
    })
    expect(seen).toEqual([[0, 100], [5001, 200], 'complete'])
  })

  it('name a letter without a price', () => expect(() => ticks('ab', { a: 1 })).toThrow('no price for b'))
})

describe('recordings of different days', () => {
  const rowsFrom = (from: number, prices: readonly string[]): string =>
    ['ts_ms,price,size,bid,ask', ...prices.map((price, i) => `${from + i * 1000},${price},1,,`), ''].join(
      '\n',
    )
  const productFrom = (id: string, from: number, prices: readonly string[]) =>
    replayProduct(id, parseRecording(rowsFrom(from, prices), 2), {}, Infinity)
  const prices = Array.from({ length: 20 }, (_, i) => (10 + i).toFixed(2))
  const later = start + 5 * 365 * 86_400_000

  it('start together, each from its own first tick, at the instants of the first', async () => {
    for (const [a, b] of [
      [start, later],
      [later, start],
    ] as const) {
      const market = openReplay([productFrom('A', a, prices), productFrom('B', b, prices)])
      await market.play('3.2s')
      expect(market.now()).toBe(a + 3200)
      for (const id of ['A', 'B'])
        expect(market.quote(id)).toMatchObject({ at: a + 3000, price: 1300, seq: 4, stale: false })
      market.close()
    }
  })

  it('by the clock have no price before their first tick, and a stale one after their last', async () => {
    const [short, long] = [prices.slice(0, 5), prices]
    const products = [productFrom('A', start, long), productFrom('B', start + 10_000, short)]
    const market = openReplay(products, { align: 'time' })
    const seen: number[] = []
    market.streams.quote$('B').subscribe((quote) => {
      if (quote !== undefined && quote.price > 0) seen.push(quote.at - market.now())
    })
    await market.play('9.9s')
    expect(market.quote('A')).toMatchObject({ price: 1900, stale: false })
    expect(market.quote('B')).toBeUndefined()
    await market.play('12.5s')
    expect(market.quote('B')).toMatchObject({ at: start + 12_000, price: 1200, stale: false })
    await market.play('19.5s')
    expect(market.quote('A')).toMatchObject({ price: 2900, stale: false })
    expect(market.quote('B')).toMatchObject({ at: start + 14_000, price: 1400, stale: true })
    expect(Math.max(...seen)).toBeLessThanOrEqual(0)
    market.close()
  })

  it('before their first tick are stale on the wire too, and have no ticks and no candles', async () => {
    const scheduler = virtualClock()
    const { wire, api } = createReplayWire(
      [productFrom('A', start, prices), productFrom('B', start + 10_000, prices)],
      { scheduler },
    )
    const feeds: unknown[] = []
    wire.event$.subscribe((event) => {
      if (event.kind === 'event' && event.name === 'feed') feeds.push(event.data)
    })
    wire.connect()
    expect(await wire.subscribe(['A', 'B'], 'all')).toMatchObject({
      quotes: [{ id: 'A', last: '10.00' }],
      heads: { A: { seq: 1 }, B: { seq: 0 } },
    })
    scheduler.advanceTo(2500)
    expect(feeds.at(-1)).toMatchObject({
      p: { A: { status: 'live' }, B: { status: 'stale', watermark: start, seq: 0 } },
    })
    expect(await api.products()).toMatchObject([{}, { id: 'B', lastAt: start, last: '0.00', change24hBp: 0 }])
    expect(await api.ticks('B', { afterSeq: 0 })).toMatchObject({ ticks: [], complete: true })
    expect(await api.candles('B', '1m', start + 60_000, 10)).toEqual([])
    wire.disconnect()
  })

  it('of one report keep the time between them', () => {
    const [a, b, c] = [
      productFrom('A', start, prices),
      productFrom('B', later, prices),
      productFrom('C', later + 500, prices),
    ]
    const arrivals = Float64Array.from(prices, (_, i) => later + 700 + i * 1000)
    const played = aligned([[a], [b, { ...c, arrivals }]], 'start')
    expect(played.map(({ recording }) => recording.at[0])).toEqual([start, start, start + 500])
    expect(played[2]!.arrivals![0]).toBe(start + 700)
    expect(aligned([[a], [b]], 'time')).toEqual([a, b])
  })
})
