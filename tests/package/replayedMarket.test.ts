import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { firstValueFrom, skip, toArray } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { formatRecording, parseRecording, priceDecimalsOf } from 'uptick'
import { openReplay, replayProduct, replayTicks, virtualClock } from 'uptick/replay'

const start = 1_700_000_000_000
const header = 'ts_ms,price,size,bid,ask'
const quotes = `${header}\n${start},,,1.1,1.3\n${start + 1000},,,1.2,1.4\n`
const mixed = `${header}\n${start},10.5,2,10.4,10.6\n${start + 1000},10.6,1,,\n${start + 2000},,,10.5,10.9\n`
const recorded = (file: string) => {
  const csv = gunzipSync(readFileSync(`streams/recordings/${file}`)).toString()
  return parseRecording(csv, priceDecimalsOf(csv))
}

describe('bid and ask', () => {
  it('stay in a recording that has them, and its quotes have no size', () => {
    const read = parseRecording(quotes, 1)
    expect([read.kind, [...read.price], [...read.size]]).toEqual(['quotes', [12, 13], [0, 0]])
    expect([[...read.bid!], [...read.ask!]]).toEqual([
      [11, 12],
      [13, 14],
    ])
    expect(formatRecording(read)).toBe(quotes)
    const both = parseRecording(mixed, 1)
    expect([[...both.size], [...both.bid!], [...both.ask!]]).toEqual([
      [2, 1, 0],
      [104, 0, 105],
      [106, 0, 109],
    ])
    expect(parseRecording(`${header}\n${start},10.5,2,,\n`, 1)).not.toHaveProperty('bid')
  })

  it('are in each tick of a replay', async () => {
    const clocked = virtualClock()
    const ticks = firstValueFrom(
      replayTicks(parseRecording(mixed, 1), { scheduler: clocked }).pipe(toArray()),
    )
    clocked.advanceTo(5000)
    expect(await ticks).toEqual([
      { seq: 1, at: start, price: 105, size: 2, bid: 104, ask: 106 },
      { seq: 2, at: start + 1000, price: 106, size: 1 },
      { seq: 3, at: start + 2000, price: 107, size: 0, bid: 105, ask: 109 },
    ])
  })

  it('are in the quotes and ticks of a market, also after a gap; no volume is made up', async () => {
    const market = openReplay([replayProduct('A', parseRecording(quotes, 1))])
    const ticks: unknown[] = []
    market.ticks().subscribe(({ seq, bid, ask }) => ticks.push([seq, bid, ask]))
    await market.play(500)
    expect(market.quote()).toMatchObject({ bid: 11, ask: 13, ticker: { volume24h: '0' } })
    expect(market.quote()).toBe(market.quote())
    await market.play('2s')
    expect(ticks).toEqual([[2, 12, 14]])
    market.close()

    const trades = openReplay([replayProduct('A', parseRecording(mixed, 1))])
    trades.gap(500, 1500)
    await trades.play('5s')
    expect(trades.quote()).toMatchObject({ seq: 2, bid: 105, ask: 109 })
    trades.close()
  })
})

describe('a market that somebody watches', () => {
  it('lets what follows from an emission settle before its next instant', async () => {
    const market = openReplay([replayProduct('A', recorded('ETHUSDT_binance_spot_2024-08-08T2354.csv.gz'))])
    const late: number[] = []
    let settled = 0
    const follow = async (): Promise<void> => {
      const at = market.now()
      for (let i = 0; i < 10; i++) await Promise.resolve()
      settled++
      if (market.now() !== at) late.push(at)
    }
    const { streams } = market
    streams.quote$('A').subscribe(() => void follow())
    streams
      .quote$('A')
      .pipe(skip(1))
      .subscribe({ next: () => void follow() })
    market.ticks().subscribe(() => void follow())
    await market.play('2m')
    expect(settled).toBeGreaterThan(1000)
    expect(late).toEqual([])
    market.close()
  })
})

describe('a market that nobody watches', () => {
  it('is at the end where one is that is watched', async () => {
    const day = recorded('ETHUSDT_binance_spot_2024-08-08T2354.csv.gz')
    const [bare, seen] = [0, 1].map(() => openReplay([replayProduct('A', day)]))
    let quotes = 0
    seen!.streams.quote$('A').subscribe(() => quotes++)
    for (const market of [bare!, seen!]) {
      await market.play(0)
      market.gap('2m', '3m')
      market.stale('5m', '5.2m')
    }
    for (const until of ['150s', '3.5m', '312s', '330s', '10m'] as const) {
      for (const market of [bare!, seen!]) await market.play(until)
      expect(bare!.quote()).toEqual(seen!.quote())
      expect(bare!.now()).toBe(seen!.now())
    }
    expect(quotes).toBeGreaterThan(1000)
    // Each tick comes to one who subscribes later.
    const later: number[] = []
    bare!.streams.run$('A').subscribe(({ values }) => later.push(values.length / 3))
    const { seq } = bare!.quote()!
    await bare!.play('11m')
    expect(later.reduce((sum, count) => sum + count, 0)).toBe(bare!.quote()!.seq - seq)
    for (const market of [bare!, seen!]) market.close()
  })

  it('has the heads of the chain if it is asked for them', async () => {
    const day = parseRecording(quotes, 1)
    const [plain, chained] = [false, true].map((chain) => openReplay([replayProduct('A', day)], { chain }))
    for (const market of [plain!, chained!]) await market.play('4s')
    expect(plain!.streams.seenHeads('A')).toEqual([])
    expect(chained!.streams.seenHeads('A').at(-1)).toMatchObject({
      seq: 2,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    })
    for (const market of [plain!, chained!]) market.close()
  })
})

describe('a time that is none', () => {
  const opened = () => openReplay([replayProduct('A', parseRecording(quotes, 1))])

  it.each([NaN, Infinity, -1, start + 5000])('%s is refused', async (time) => {
    const market = opened()
    for (const refused of [market.play(time), market.seek(time)])
      await expect(refused).rejects.toThrow(`${time} is no time: it counts from the first tick, in ms`)
    expect(() => market.gap(0, time)).toThrow(RangeError)
    market.close()
  })

  it('says what time it is if it is over, and that there is no quote yet', async () => {
    const market = opened()
    expect(() => market.expectQuote({ stale: true })).toThrow('A has no quote yet: play first')
    await market.play(1500)
    expect(() => market.gap('1s', '2s')).toThrow('1s to 2s is not ahead: it is 1500 ms')
    market.close()
  })
})

describe('faults that meet', () => {
  const opened = async () => {
    const rows = Array.from({ length: 61 }, (_, i) => `${start + i * 1000},10.${i % 10},1,,`)
    const market = openReplay([replayProduct('A', parseRecording([header, ...rows, ''].join('\n'), 1))])
    await market.play(0)
    const states: string[] = []
    market.streams.connection$.subscribe(({ state }) => {
      if (states.at(-1) !== state) states.push(state)
    })
    return { market, states }
  }

  it('last until the last of them ends, whichever was said first', async () => {
    const { market, states } = await opened()
    market.cut('20s', '30s')
    market.cut('10s', '20s')
    market.stale('40s', '50s')
    market.stale('45s', '60s')
    await market.play('35s')
    expect(states).toEqual(['online', 'reconnecting', 'online'])
    await market.play('55s')
    expect(market.quote()).toMatchObject({ stale: true })
    market.close()
  })

  it('leave a silent line silent to its end, also after it is opened again', async () => {
    const { market } = await opened()
    market.stale('10s', '50s')
    await market.play('13.5s')
    for (const second of Array.from({ length: 36 }, (_, i) => 14 + i)) {
      await market.play(`${second}s`)
      expect([second, market.quote()?.stale]).toEqual([second, true])
    }
    await market.play('55.5s')
    expect(market.quote()).toMatchObject({ stale: false, seq: 56 })
    market.close()
  })

  it('last while the market is sought', async () => {
    const { market } = await opened()
    market.cut('10s', '50s')
    await market.play('20s')
    await market.seek('30s')
    const down = market.quote()
    await market.play('40s')
    expect(market.quote()).toEqual(down)
    expect(market.quote()).toMatchObject({ stale: true })
    await market.play('60.1s')
    expect(market.quote()).toMatchObject({ seq: 61, stale: false })
    market.close()
  })
})

describe('what cannot be meant', () => {
  const day = () => replayProduct('A', parseRecording(quotes, 1))

  it('is refused: no recording, two of one product', () => {
    expect(() => openReplay([])).toThrow('no recording')
    expect(() => openReplay([day(), day()])).toThrow('two recordings of A')
  })

  it('is refused: a product that has no recording', () => {
    const market = openReplay([day()])
    for (const ask of [
      () => market.quote('B'),
      () => market.expectQuote({ stale: false }, 'B'),
      () => market.ticks('B'),
      () => market.gap('1s', '2s', 'B'),
    ])
      expect(ask).toThrow('no recording of B, only of A')
    market.close()
  })

  it('is refused: to play up to a time that is over', async () => {
    const market = openReplay([day()])
    await market.play('2s')
    await market.play('2s')
    await expect(market.play('1s')).rejects.toThrow('1s is over: it is 2000 ms')
    await market.seek('3s')
    await market.play('3s')
    market.close()
  })
})
