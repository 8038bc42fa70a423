import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  tickCountAt,
  parseRecording,
  scheduleRecording,
  tradingHoursAt,
  tickAt,
} from '../../contract/recording.ts'

const header = 'ts_ms,price,size,bid,ask\n'
const csvOf = (rows: string[]): string => header + rows.join('\n') + '\n'
const session = (from: number, count: number, price = 100): string[] =>
  Array.from({ length: count }, (_, i) => `${from + i * 1000},${price + i},1,,`)

describe('reading', () => {
  it('a quote plays its mid, rounded half up, size 1', () => {
    const rec = parseRecording(csvOf(['1,,,1.14242,1.14245', '2,,,1.1,1.2']), 5)
    expect([...rec.price]).toEqual([114_244, 115_000])
    expect([...rec.size]).toEqual([1, 1])
    expect(rec).toMatchObject({ kind: 'quotes', sizeDecimals: 0, skipped: 0 })
  })
  it('a trade keeps its price and size at the finest scale seen', () => {
    const rec = parseRecording(csvOf(['1,61590.3,0.002,,', '2,61590.35,1.5,,']), 1)
    expect(rec).toMatchObject({ kind: 'trades', sizeDecimals: 3 })
    expect([...rec.price]).toEqual([615_903, 615_904])
    expect([...rec.size]).toEqual([2, 1500])
  })
  it('rows that are no tick are counted and skipped', () => {
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
  it.each([['a,b\n1,2\n'], [header], [csvOf(['x,,,,'])]])('%j is no recording', (csv) => {
    expect(() => parseRecording(csv, 2)).toThrow(RangeError)
  })
  it('a size past 2^53 units stops the reading', () => {
    expect(() => parseRecording(csvOf(['1,1,99999999999999.5,,']), 0, 8)).toThrow(/2\^53/)
  })
})

describe('playing', () => {
  const rows = [...session(0, 150), ...session(10_000_000, 50), ...session(20_000_000, 120, 300)]
  const played = scheduleRecording(parseRecording(csvOf(rows), 0), 600_000, 60_000)

  it('pauses are cut to size, and a sliver between two pauses is left out', () => {
    expect(played.offset.length).toBe(270)
    expect(played.pauses).toEqual([{ closesAt: 149_000, opensAt: 209_000 }])
    expect(played.period).toBe(209_000 + 119_000 + 1000)
  })
  it('0 keeps a pause as recorded', () => {
    const whole = scheduleRecording(parseRecording(csvOf(rows), 0), 600_000, 0)
    expect(whole.pauses).toEqual([{ closesAt: 149_000, opensAt: 20_000_000 }])
  })
  it('sessions: open, closed between its two ticks, open again, and on into the next pass', () => {
    const epoch = 1000
    expect(tradingHoursAt(played, epoch, epoch + 149_000)).toEqual({
      open: true,
      opensAt: null,
      closesAt: 150_000,
    })
    expect(tradingHoursAt(played, epoch, epoch + 149_001)).toEqual({
      open: false,
      opensAt: 210_000,
      closesAt: null,
    })
    expect(tradingHoursAt(played, epoch, epoch + 208_999).open).toBe(false)
    const next = epoch + played.period + 149_000
    expect(tradingHoursAt(played, epoch, epoch + 209_000)).toEqual({
      open: true,
      opensAt: null,
      closesAt: next,
    })
  })
  it('an odd pass leads back to where the even one began, so that nothing jumps or drifts', () => {
    const n = played.offset.length
    const first = tickAt(played, 0, 0)
    for (let pass = 0; pass < 6; pass++) {
      expect(tickAt(played, 0, pass * n).price).toBe(pass % 2 === 0 ? first.price : played.price[n - 1])
      expect(tickAt(played, 0, pass * n).price).toBe(tickAt(played, 0, Math.max(0, pass * n - 1)).price)
    }
  })
  it('counting and computing agree at every instant', () => {
    fc.assert(
      fc.property(fc.nat(2_000_000), (t) => {
        const epoch = 777
        const count = tickCountAt(played, epoch, t)
        if (count > 0) expect(tickAt(played, epoch, count - 1).at).toBeLessThanOrEqual(t)
        expect(tickAt(played, epoch, count).at).toBeGreaterThan(t)
      }),
    )
  })
})

it('every recording of the venue reads whole, as its manifest says', () => {
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
  expect(manifest.recordings).toHaveLength(10)
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
