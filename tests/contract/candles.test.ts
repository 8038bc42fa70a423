import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Candle } from '../../contract/candles.ts'
import { bucketOf, candleOf, extendCandle, aggregateCandles, timeframes } from '../../contract/candles.ts'

const anyTicks = fc.array(
  fc.record({
    dt: fc.integer({ min: 0, max: 90_000 }),
    price: fc.integer({ min: 1, max: 50 }),
    size: fc.nat(9),
  }),
  { minLength: 1, maxLength: 60 },
)

function fold(tfMs: number, ticks: { at: number; seq: number; price: number; size: number }[]): Candle[] {
  const candles: Candle[] = []
  for (const t of ticks) {
    const last = candles.at(-1)
    if (last && last.openAt === bucketOf(t.at, tfMs)) {
      candles[candles.length - 1] = extendCandle(last, t.seq, t.price, t.size)
    } else candles.push(candleOf(tfMs, t.seq, t.at, t.price, t.size))
  }
  return candles
}

it('minutes regroup to what the ticks fold to, in every timeframe', () => {
  fc.assert(
    fc.property(anyTicks, (steps) => {
      let at = 1_700_000_000_000
      const ticks = steps.map((step, i) => ({
        at: (at += step.dt),
        seq: i + 1,
        price: step.price,
        size: step.size,
      }))
      const minutes = fold(timeframes['1m'], ticks)
      for (const tfMs of Object.values(timeframes)) {
        expect(aggregateCandles(minutes, tfMs)).toEqual(fold(tfMs, ticks))
      }
    }),
  )
})

it('a tick seen before changes nothing', () => {
  const candle = candleOf(60_000, 7, 120_000, 10, 2)
  expect(extendCandle(candle, 7, 99, 5)).toBe(candle)
  expect(extendCandle(candle, 8, 12, 1)).toMatchObject({
    open: 10,
    high: 12,
    low: 10,
    close: 12,
    volume: 3,
    lastSeq: 8,
  })
})
