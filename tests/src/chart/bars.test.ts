import { describe, expect, it } from 'vitest'
import type { Candle } from '../../../contract/candles.ts'
import { createBars, logicalOf, barIndexAt, tailTrimTo, tailMax } from '../../../src/chart/bars.ts'
import { fc } from '../../support/fastCheck.ts'

const tfMs = 60_000
const bar = (n: number, close = 1): Candle => ({
  openAt: n * tfMs,
  open: 1,
  high: 1,
  low: 1,
  close,
  volume: 1,
  lastSeq: n,
})
const barsOf = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => bar(from + i))
const instants = (candles: readonly Candle[]) => candles.map(({ openAt }) => openAt / tfMs)

describe('createBars', () => {
  it.each([
    [0, 0, 0],
    [1, 0, 1],
    [tailMax, 0, tailMax],
    [tailMax + 1, tailMax + 1 - tailTrimTo + 1, tailTrimTo],
    [5000, 5000 - tailTrimTo + 1, tailTrimTo],
  ])('splits %i bars into %i of history and %i of the tail', (count, history, tail) => {
    const bars = createBars()
    bars.reset(barsOf(0, count))
    expect([bars.history().length, bars.tail().length]).toEqual([history, tail])
  })

  it('shares one bar between both, so that a line has no gap, but never the live one', () => {
    const bars = createBars()
    bars.reset(barsOf(0, 1000))
    expect(bars.history().at(-1)).toBe(bars.tail()[0])
    bars.apply({ ...bar(999), close: 7 })
    expect(bars.history().some(({ close }) => close === 7)).toBe(false)
    expect(bars.tail().at(-1)?.close).toBe(7)
  })

  it('keeps the tail short, and trims it rarely', () => {
    const bars = createBars()
    bars.reset(barsOf(0, 10))
    let trims = 0
    for (let n = 10; n < 2000; n++) {
      if (bars.apply(bar(n)) === 'trimmed') trims += 1
      expect(bars.tail().length).toBeLessThanOrEqual(tailMax)
    }
    expect(trims).toBeLessThanOrEqual(Math.ceil(2000 / (tailMax - tailTrimTo)))
    expect(instants(bars.all())).toEqual(instants(barsOf(0, 2000)))
  })

  it('prepends older bars without changing the tail', () => {
    const bars = createBars()
    bars.reset(barsOf(1000, 1500))
    const before = bars.tail()
    expect(bars.prepend(barsOf(400, 1001))).toBe(true)
    expect(bars.tail()).toEqual(before)
    expect(instants(bars.all())).toEqual(instants(barsOf(400, 1500)))
    expect(bars.prepend(barsOf(500, 600))).toBe(false)
  })

  it('always has all bars in history and tail, ascending', () => {
    const event = fc.oneof(
      fc.record({ kind: fc.constant('live' as const), step: fc.integer({ min: -2, max: 2 }) }),
      fc.record({ kind: fc.constant('older' as const), count: fc.integer({ min: 0, max: 200 }) }),
    )
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 700 }), fc.array(event, { maxLength: 60 }), (count, events) => {
        const bars = createBars()
        bars.reset(barsOf(5000, 5000 + count))
        for (const one of events) {
          const first = bars.all()[0]?.openAt ?? 5000 * tfMs
          const last = bars.all().at(-1)?.openAt ?? 5000 * tfMs
          if (one.kind === 'live') bars.apply(bar(last / tfMs + one.step))
          else bars.prepend(barsOf(first / tfMs - one.count, first / tfMs))
        }
        const shown = new Set(instants([...bars.history(), ...bars.tail()]))
        const all = instants(bars.all())
        expect([...shown].sort((a, b) => a - b)).toEqual(all)
        expect(all.every((n, i) => i === 0 || n > all[i - 1]!)).toBe(true)
        expect(bars.tail().length).toBeLessThanOrEqual(tailMax)
      }),
      { numRuns: 100 },
    )
  })

  it('drops a bar that is out of order and keeps the later of two', () => {
    const bars = createBars()
    bars.reset([bar(1), bar(3), bar(2), bar(3, 9)])
    expect(instants(bars.all())).toEqual([1, 3])
    expect(bars.all()[1]?.close).toBe(9)
    expect(bars.apply(bar(2))).toBe('ignored')
  })
})

describe('barIndexAt and logicalOf', () => {
  const bars = [bar(10), bar(11), bar(14)]
  it.each([
    [9 * tfMs, -1],
    [10 * tfMs, 0],
    [11 * tfMs + 1, 1],
    [13 * tfMs, 1],
    [99 * tfMs, 2],
  ])('%i is in bar %i', (at, index) => expect(barIndexAt(bars, at)).toBe(index))

  it.each([
    ['halfway into a bar', 10.5, 0.5],
    ['in a gap: at the next bar', 13.5, 2],
    ['after the newest: extrapolated', 17, 5],
    ['before the oldest', 5, 0],
  ])('%s', (_, minutes, logical) => expect(logicalOf(bars, minutes * tfMs, tfMs)).toBe(logical))

  it('there is no position without bars', () => expect(logicalOf([], 1, tfMs)).toBeUndefined())
})
