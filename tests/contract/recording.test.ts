import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  tickCountAt,
  parseRecording,
  parseRecordingInSteps,
  scheduleRecording,
  tradingHoursAt,
  tickAt,
} from '../../contract/recording.ts'
import { fc } from '../support/fastCheck.ts'

const header = 'ts_ms,price,size,bid,ask\n'
const csvOf = (rows: string[]): string => header + rows.join('\n') + '\n'
const session = (from: number, count: number, price = 100): string[] =>
  Array.from({ length: count }, (_, i) => `${from + i * 1000},${price + i},1,,`)

describe('parseRecording', () => {
  it('reads a quote as its mid, rounded half up, with size 1', () => {
    const rec = parseRecording(csvOf(['1,,,1.14242,1.14245', '2,,,1.1,1.2']), 5)
    expect([...rec.price]).toEqual([114_244, 115_000])
    expect([...rec.size]).toEqual([1, 1])
    expect(rec).toMatchObject({ kind: 'quotes', sizeDecimals: 0, skipped: 0 })
  })
  it('reads a trade with its price and size at the finest scale of the file', () => {
    const rec = parseRecording(csvOf(['1,61590.3,0.002,,', '2,61590.35,1.5,,']), 1)
    expect(rec).toMatchObject({ kind: 'trades', sizeDecimals: 3 })
    expect([...rec.price]).toEqual([615_903, 615_904])
    expect([...rec.size]).toEqual([2, 1500])
  })
  it('counts and skips rows that are not ticks', () => {
    const bad = [
      'x,1,1,,',
      '5,0,1,,',
      '5,-1,1,,',
      '5,NaN,1,,',
      '5,,,,',
      '5,1e3,1,,',
      '4,2,1,,',
      '6,2,-1,,',
      '7,2',
    ]
    const rec = parseRecording(csvOf(['5,1,1,,', ...bad, '9,3,1,,']), 0)
    expect([...rec.price]).toEqual([1, 2, 3])
    expect(rec.skipped).toBe(bad.length - 1)
  })
  it.each([['a,b\n1,2\n'], [header], [csvOf(['x,,,,'])]])('rejects %j', (csv) => {
    expect(() => parseRecording(csv, 2)).toThrow(RangeError)
  })
  it('reads rows with CRLF, further columns, empty lines and no last newline', () => {
    const rec = parseRecording(`${header.trim()},venue\r\n1,10,2,,,x,y\r\n\r\n\n2,11,3`, 0)
    expect([[...rec.at], [...rec.price], [...rec.size]]).toEqual([
      [1, 2],
      [10, 11],
      [2, 3],
    ])
    expect(rec.skipped).toBe(0)
  })
  it('reads the mid and mirrors it exactly, however large the prices', () => {
    const units = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
    const text = (value: number): string =>
      `${Math.floor(value / 1e8)}.${String(value % 1e8).padStart(8, '0')}`
    fc.assert(
      fc.property(
        fc.array(fc.tuple(units, units), { minLength: 1 }),
        fc.integer({ min: 0, max: 8 }),
        (quotes, decimals) => {
          const unit = 10n ** BigInt(8 - decimals)
          const mids = quotes.map(([low, high]) => (BigInt(low) + BigInt(high) + unit) / (2n * unit))
          fc.pre(mids.every((mid) => mid > 0n && mid <= BigInt(Number.MAX_SAFE_INTEGER)))
          const rec = parseRecording(
            csvOf(quotes.map(([low, high], i) => `${i},,,${text(low)},${text(high)}`)),
            decimals,
          )
          expect([...rec.price]).toEqual(mids.map(Number))
          const { passes } = scheduleRecording(rec, { pauseMs: 1000, closedPauseMs: 0 })
          const [first = 0n, last = 0n] = [mids[0], mids.at(-1)]
          expect([...passes[1]]).toEqual(mids.map((mid) => Number((2n * last * first + mid) / (2n * mid))))
        },
      ),
    )
  })
  it('rejects a size above 2^53 units', () => {
    expect(() => parseRecording(csvOf(['1,1,99999999999999.5,,']), 0, 8)).toThrow(/2\^53/)
  })
})

describe('a recording scheduled with a period', () => {
  const rows = [...session(0, 150), ...session(20_000_000, 120, 300)]
  const recording = parseRecording(csvOf(rows), 0)
  const periodMs = 86_400_000
  const scheduled = scheduleRecording(recording, { pauseMs: 600_000, closedPauseMs: 0, periodMs })
  const lastOffset = 20_000_000 + 119_000

  it('starts a pass every period and is closed in between', () => {
    expect(scheduled.period).toBe(periodMs)
    expect(scheduled.pauses).toEqual([
      { closesAt: 149_000, opensAt: 20_000_000 },
      { closesAt: lastOffset, opensAt: periodMs },
    ])
    expect(tradingHoursAt(scheduled, 0, lastOffset)).toEqual({
      open: true,
      opensAt: null,
      closesAt: lastOffset,
    })
    expect(tradingHoursAt(scheduled, 0, lastOffset + 1)).toEqual({
      open: false,
      opensAt: periodMs,
      closesAt: null,
    })
    expect(tradingHoursAt(scheduled, 0, periodMs - 1).open).toBe(false)
    expect(tradingHoursAt(scheduled, 0, periodMs).closesAt).toBe(periodMs + 149_000)
    expect(tickAt(scheduled, 0, 270).at).toBe(periodMs)
  })

  it('plays the recorded prices in odd passes, and mirrored ones between them without a jump', () => {
    const priceAt = (n: number) => tickAt(scheduled, 0, n).price
    expect(Array.from({ length: 270 }, (_, i) => priceAt(270 + i))).toEqual([...recording.price])
    expect(priceAt(269)).toBe(priceAt(270))
    expect(priceAt(539)).toBe(priceAt(540))
  })

  it('stays open over a short rest', () => {
    const whole = scheduleRecording(recording, {
      pauseMs: 30_000_000,
      closedPauseMs: 0,
      periodMs: 40_000_000,
    })
    expect(whole.pauses).toEqual([])
  })

  it('rejects a period that a pass does not fit into', () => {
    expect(() =>
      scheduleRecording(recording, { pauseMs: 600_000, closedPauseMs: 0, periodMs: lastOffset }),
    ).toThrow(new RangeError(`a pass takes ${lastOffset} ms, longer than periodMs`))
  })
})

describe('a scheduled recording', () => {
  const rows = [...session(0, 150), ...session(10_000_000, 50), ...session(20_000_000, 120, 300)]
  const scheduled = scheduleRecording(parseRecording(csvOf(rows), 0), {
    pauseMs: 600_000,
    closedPauseMs: 60_000,
  })

  it('has shortened pauses, and no tiny session between two pauses', () => {
    expect(scheduled.offset.length).toBe(270)
    expect(scheduled.pauses).toEqual([{ closesAt: 149_000, opensAt: 209_000 }])
    expect(scheduled.period).toBe(209_000 + 119_000 + 1000)
  })
  it('has pauses as recorded with 0', () => {
    const whole = scheduleRecording(parseRecording(csvOf(rows), 0), { pauseMs: 600_000, closedPauseMs: 0 })
    expect(whole.pauses).toEqual([{ closesAt: 149_000, opensAt: 20_000_000 }])
  })
  it('is open, closed during a pause, and open until the next pass', () => {
    const epoch = 1000
    expect(tradingHoursAt(scheduled, epoch, epoch + 149_000)).toEqual({
      open: true,
      opensAt: null,
      closesAt: 150_000,
    })
    expect(tradingHoursAt(scheduled, epoch, epoch + 149_001)).toEqual({
      open: false,
      opensAt: 210_000,
      closesAt: null,
    })
    expect(tradingHoursAt(scheduled, epoch, epoch + 208_999).open).toBe(false)
    const next = epoch + scheduled.period + 149_000
    expect(tradingHoursAt(scheduled, epoch, epoch + 209_000)).toEqual({
      open: true,
      opensAt: null,
      closesAt: next,
    })
  })
  it('returns to its first price in odd passes, so that prices neither jump nor drift', () => {
    const n = scheduled.offset.length
    const first = tickAt(scheduled, 0, 0)
    for (let pass = 0; pass < 6; pass++) {
      expect(tickAt(scheduled, 0, pass * n).price).toBe(
        pass % 2 === 0 ? first.price : scheduled.passes[0][n - 1],
      )
      expect(tickAt(scheduled, 0, pass * n).price).toBe(tickAt(scheduled, 0, Math.max(0, pass * n - 1)).price)
    }
  })
  it('has the counted number of ticks at every instant', () => {
    fc.assert(
      fc.property(fc.nat(2_000_000), (t) => {
        const epoch = 777
        const count = tickCountAt(scheduled, epoch, t)
        if (count > 0) expect(tickAt(scheduled, epoch, count - 1).at).toBeLessThanOrEqual(t)
        expect(tickAt(scheduled, epoch, count).at).toBeGreaterThan(t)
      }),
    )
  })
})

it('parses every recording as its manifest says', () => {
  const dir = new URL('../../streams/recordings/', import.meta.url)
  const manifest = JSON.parse(readFileSync(new URL('MANIFEST.json', dir), 'utf8')) as {
    recordings: {
      file: string
      rows: number
      price_decimals: number
      first_ts_ms: number
      last_ts_ms: number
    }[]
  }
  expect(manifest.recordings).toHaveLength(13)
  for (const entry of manifest.recordings) {
    const csv = gunzipSync(readFileSync(new URL(entry.file, dir))).toString()
    const rec = parseRecording(csv, entry.price_decimals)
    expect({
      file: entry.file,
      rows: rec.at.length,
      skipped: rec.skipped,
      first: rec.at[0],
      last: rec.at.at(-1),
    }).toEqual({
      file: entry.file,
      rows: entry.rows,
      skipped: 0,
      first: entry.first_ts_ms,
      last: entry.last_ts_ms,
    })
  }
})

it('parses a long recording in short steps, with the same result', () => {
  const rows = Array.from({ length: 50_000 }, (_, i) => `${i},1.5,0.${i + 1},,`)
  const csv = ['ts_ms,price,size,bid,ask', ...rows].join('\n')
  const steps = parseRecordingInSteps(csv, 2)
  let pauses = 0
  let step = steps.next()
  for (; !step.done; step = steps.next()) pauses++
  // Five while the decimals of sizes are counted, five while the rows are read.
  expect(pauses).toBe(10)
  expect(step.value).toEqual(parseRecording(csv, 2))
})
