import { describe, expect, it } from 'vitest'
import type { Candle } from '../../../contract/candles.ts'
import { barsInHole, withoutHoles } from '../../../streams/prices/holes.ts'

const bar = (openAt: number, close: number, lastSeq: number): Candle => ({
  openAt,
  open: 1,
  high: 9,
  low: 1,
  close,
  volume: 3,
  lastSeq,
})

describe('buckets without a tick', () => {
  it.each([
    ['none is missing', 1000, 2000, []],
    ['two are missing', 1000, 4000, [2000, 3000]],
    ['300 are missing', 1000, 302_000, Array.from({ length: 300 }, (_, i) => 2000 + i * 1000)],
    ['more are missing, because the market was closed', 1000, 303_000, []],
  ])('are filled at the price before them: %s', (_, from, until, filled) => {
    const bars = barsInHole(bar(from, 7, 5), until, 1000)
    expect(bars.map(({ openAt }) => openAt)).toEqual(filled)
    for (const each of bars)
      expect(each).toMatchObject({ open: 7, high: 7, low: 7, close: 7, volume: 0, lastSeq: 5 })
  })

  it('are filled for five minutes, however short they are', () => {
    expect(barsInHole(bar(0, 7, 5), 300_000, 250)).toHaveLength(1199)
    expect(barsInHole(bar(0, 7, 5), 300_500, 250)).toEqual([])
  })

  it('stay missing from a minute on', () => {
    expect(barsInHole(bar(0, 7, 5), 180_000, 60_000)).toEqual([])
  })

  it('are filled between all bars, and up to the bar after the last one', () => {
    const bars = [bar(0, 4, 1), bar(500, 5, 2)]
    expect(withoutHoles(bars, 250).map(({ openAt, close }) => [openAt, close])).toEqual([
      [0, 4],
      [250, 4],
      [500, 5],
    ])
    expect(withoutHoles(bars, 250, 1250).map(({ openAt }) => openAt)).toEqual([0, 250, 500, 750, 1000])
  })
})
