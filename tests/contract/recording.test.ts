import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  decimalsOfRecording,
  tickCountAt,
  parseRecording,
  RecordingParser,
  scheduleRecording,
  tradingHoursAt,
  tickAt,
} from '../../contract/recording.ts'
import { skippedText } from '../../contract/recordingReader.ts'
import { fc } from '../support/fastCheck.ts'

const header = 'ts_ms,price,size,bid,ask\n'
/** An instant that a recording may have; the rows of these tests count from it. */
const origin = 1_600_000_000_000
const at = (offset: number): string => String(origin + offset)
const csvOf = (rows: string[]): string => header + rows.join('\n') + '\n'
const session = (from: number, count: number, price = 100): string[] =>
  Array.from({ length: count }, (_, i) => `${at(from + i * 1000)},${price + i},1,,`)

describe('parseRecording', () => {
  it('reads a quote as its mid, rounded half up, with size 1', () => {
    const rec = parseRecording(csvOf([`${at(1)},,,1.14242,1.14245`, `${at(2)},,,1.1,1.2`]), 5)
    expect([...rec.price]).toEqual([114_244, 115_000])
    expect([...rec.size]).toEqual([1, 1])
    expect(rec).toMatchObject({ kind: 'quotes', sizeDecimals: 0, skipped: 0 })
  })
  it('reads a trade with its price and size at the finest scale of the file', () => {
    const rec = parseRecording(csvOf([`${at(1)},61590.3,0.002,,`, `${at(2)},61590.35,1.5,,`]), 1)
    expect(rec).toMatchObject({ kind: 'trades', sizeDecimals: 3 })
    expect([...rec.price]).toEqual([615_903, 615_904])
    expect([...rec.size]).toEqual([2, 1500])
  })
  it.each([
    ['x,1,1,,', 'its instant is no whole number of milliseconds'],
    [`${at(5)}.5,1,1,,`, 'its instant is no whole number of milliseconds'],
    ['2023-11-14T22:13:20Z,1,1,,', 'its instant is no whole number of milliseconds'],
    ['-5,1,1,,', 'its instant is no whole number of milliseconds'],
    [`${at(5)},0,1,,`, 'its price is no number above zero, or more than 2^53 units'],
    [`${at(5)},9007199254740993,1,,`, 'its price is no number above zero, or more than 2^53 units'],
    [`${at(5)},-1,1,,`, 'its price is no number above zero, or more than 2^53 units'],
    [`${at(5)},NaN,1,,`, 'its price is no number above zero, or more than 2^53 units'],
    [`${at(5)},,,,`, 'its bid or ask is no number above zero, or more than 2^53 units'],
    [`${at(5)},,,1,-2`, 'its bid or ask is no number above zero, or more than 2^53 units'],
    [`${at(5)},1,-1,,`, 'its size is no number from zero on'],
    [`${at(5)},1,a,,`, 'its size is no number from zero on'],
    [`${at(4)},2,1,,`, 'it is older than the row before'],
    [`${at(7)},2`, 'it has another number of columns than the header'],
    [`${at(7)},2,1,,,`, 'it has another number of columns than the header'],
    [`${at(7)},2,5,1,,`, 'it has another number of columns than the header'],
    [`${at(7)};2;5;;`, 'it has another number of columns than the header'],
  ])('skips the row %s and says which and why', (bad, why) => {
    const rec = parseRecording(csvOf([`${at(5)},1,1,,`, '', bad, `${at(9)},3,1,,`, bad]), 0)
    expect([...rec.price]).toEqual([1, 3])
    expect(rec.skipped).toBe(2)
    const first = { line: 4, row: `"${bad}"`, why }
    expect(rec.skippedRows).toMatchObject({ count: 2, rows: 4, first })
    expect(skippedText(rec.skippedRows!)).toBe(`2 of 4 rows, first line 4 "${bad}": ${why}`)
  })
  it('takes no beginning of a row for a row, wherever the file was cut off', () => {
    const quotes = csvOf([`${at(0)},,,61199.5,61199.75`, `${at(500)},,,61199.5,61200.25`])
    for (let length = quotes.indexOf('\n', header.length) + 2; length < quotes.length; length++)
      expect(parseRecording(quotes.slice(0, length), 3)).toMatchObject({ price: { length: 1 }, skipped: 1 })
    expect(parseRecording(quotes, 3)).toMatchObject({ price: { length: 2 }, skipped: 0 })
    const rows = [`${at(0)},61199.5,0.409,,`, `${at(500)},61199.75,0.5,,`]
    const whole = csvOf(rows)
    for (let length = header.length + rows[0]!.length + 2; length < whole.length - 1; length++) {
      const rec = parseRecording(whole.slice(0, length), 2)
      expect([...rec.price]).toEqual([6_119_950])
      expect(rec.skippedRows?.first).toMatchObject({
        line: 3,
        why: 'broken off: it has fewer columns than the header, and no line end',
      })
    }
    expect(parseRecording(whole.slice(0, -1), 2)).toMatchObject({ skipped: 0 })
  })
  it.each([
    ['a,b\n1,2\n', 'not a recording: bad header "a,b"; "uptick convert" reads other files'],
    [header, 'not a recording: no row is a tick'],
    ['', 'not a recording: it is empty'],
    [
      csvOf(['x,,,,']),
      'not a recording: no row is a tick: skipped 1 of 1 rows, first line 2 "x,,,,": its instant is no whole number of milliseconds',
    ],
    [
      'ts_ms;price;size;bid;ask\n',
      'not a recording: bad header "ts_ms;price;size;bid;ask": its columns are separated by semicolons',
    ],
    ['ts_ms\tprice\n', 'not a recording: bad header "ts_ms\\tprice": its columns are separated by tabs'],
    [
      '"ts_ms","price"\n',
      'not a recording: bad header "\\"ts_ms\\",\\"price\\"": its fields are in quotation marks',
    ],
    ['# 2024\n', 'not a recording: bad header "# 2024": it begins with a comment'],
    [
      '1600000000000,1,1,,\n',
      'not a recording: bad header "1600000000000,1,1,,": it has no header; "uptick convert" reads other files',
    ],
    ['ts_ms, price\n', 'not a recording: bad header "ts_ms, price": it has spaces beside its names'],
    [
      'ts_ms,price\r1,2\r',
      'not a recording: bad header "ts_ms,price\\r1,2": its lines end in a carriage return alone',
    ],
    [
      'ts_ms,price,size,bid,asks\n',
      'not a recording: bad header "ts_ms,price,size,bid,asks"; "uptick convert" reads other files',
    ],
    [Buffer.from(header, 'utf16le').toString(), 'it is UTF-16 text: save it as UTF-8'],
    [Buffer.from(`\ufeff${header}`, 'utf16le').toString(), 'it is UTF-16 text: save it as UTF-8'],
  ])('refuses %j with what is wrong', (csv, message) => {
    expect(() => parseRecording(csv, 2)).toThrow(new RangeError(message))
  })
  it.each([
    ['1700000000', 'is in seconds, not milliseconds'],
    ['1700000000.25', 'is in seconds, not milliseconds'],
    ['1700000000000000', 'is in microseconds, not milliseconds'],
    ['1700000000000000000', 'is in nanoseconds, not milliseconds'],
    ['0', 'is not between 1990 and 2100 in milliseconds'],
    ['631151999999', 'is not between 1990 and 2100 in milliseconds'],
    ['4102444800000', 'is not between 1990 and 2100 in milliseconds'],
  ])('refuses a file with the instant %s and names its line', (instant, why) => {
    const rows = [`${at(0)},1,1,,`, `${instant},1,1,,`]
    expect(() => parseRecording(csvOf(rows), 2)).toThrow(
      new RangeError(`not a recording: line 3: the instant ${instant} ${why}`),
    )
  })
  it('reads the first and the last instant that it takes', () => {
    expect([...parseRecording(csvOf(['631152000000,1,1,,', '4102444799999,1,1,,']), 0).at]).toEqual([
      631_152_000_000, 4_102_444_799_999,
    ])
  })
  it('reads exponents exactly', () => {
    const rec = parseRecording(
      csvOf([`${at(1)},1e3,5e-05,,`, `${at(2)},6.11995E+4,1.25E-2,,`, `${at(3)},,,1e2,1.02e2`]),
      2,
    )
    expect(rec).toMatchObject({ sizeDecimals: 5, skipped: 0 })
    expect([[...rec.price], [...rec.size].slice(0, 2)]).toEqual([
      [100_000, 6_119_950, 10_100],
      [5, 1250],
    ])
    expect(decimalsOfRecording(csvOf([`${at(1)},5e-05,1,,`, `${at(2)},1.5e-6,1,,`])).priceDecimals).toBe(7)
  })

  it('has no decimals for zeros that end every number of a column', () => {
    const decimalsIn = (...rows: string[]) => decimalsOfRecording(csvOf(rows))
    expect(
      decimalsIn(`${at(1)},42000.00000000,1.50000000,,`, `${at(2)},42000.10000000,2.00000000,,`),
    ).toEqual({
      priceDecimals: 1,
      sizeDecimals: 1,
    })
    expect(decimalsIn(`${at(1)},,,1.200,1.100`).priceDecimals).toBe(1)
    expect(decimalsIn(`${at(1)},100,10.0,,`)).toEqual({ priceDecimals: 0, sizeDecimals: 0 })
    expect(decimalsIn(`${at(1)},1.50e-3,1,,`).priceDecimals).toBe(4)
  })
  it('reads rows with CRLF, further columns, empty lines, a byte order mark and no last newline', () => {
    const rec = parseRecording(
      `\ufeff${header.trim()},venue,x\r\n${at(1)},10,2,,,x,y\r\n\r\n\n${at(2)},11,3,,,,`,
      0,
    )
    expect([[...rec.at], [...rec.price], [...rec.size]]).toEqual([
      [origin + 1, origin + 2],
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
            csvOf(quotes.map(([low, high], i) => `${at(i)},,,${text(low)},${text(high)}`)),
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
    expect(() => parseRecording(csvOf([`${at(1)},1,99999999999999.5,,`]), 0, 8)).toThrow(/2\^53/)
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

it('reads a text in pieces as it reads the whole, wherever they part', () => {
  const rows = [
    `${at(0)},61199.5,0.409,,`,
    `${at(1)},5e1,1,,`,
    'x,1,1,,',
    `${at(2)},,,61000.25,61000.5`,
    `${at(3)},1`,
  ]
  const csv = `\ufeff${['ts_ms,price,size,bid,ask', ...rows].join('\r\n')}`
  const whole = parseRecording(csv, 2, 3)
  expect(whole).toMatchObject({ skipped: 2 })
  for (let length = 1; length < csv.length; length++) {
    const parser = new RecordingParser({ priceDecimals: 2, sizeDecimals: 3 })
    for (let from = 0; from < csv.length; from += length) parser.add(csv.slice(from, from + length))
    expect(parser.end()).toEqual(whole)
  }
})

it('keeps no endless line', () => {
  const parser = new RecordingParser({ priceDecimals: 2, sizeDecimals: 0 })
  const add = () => {
    for (let n = 0; n < 20; n++) parser.add('a'.repeat(100_000))
  }
  expect(add).toThrow(new RangeError('not a recording: line 1 has more than 1000000 characters'))
})
