import { expect, it } from 'vitest'
import {
  bucketOf,
  candleOf,
  extendCandle,
  aggregateCandles,
  timeframes,
  type Candle,
} from '../../contract/candles.ts'
import { fc } from '../support/fastCheck.ts'

const anyTicks = fc.array(
  fc.record({
    dt: fc.integer({ min: 0, max: 90_000 }),
    price: fc.integer({ min: 1, max: 50 }),
    size: fc.nat(9),
  }),
  { minLength: 1, maxLength: 60 },
)

function candlesOf(
  tfMs: number,
  ticks: { at: number; seq: number; price: number; size: number }[],
): Candle[] {
  const candles: Candle[] = []
  for (const { at, seq, price, size } of ticks) {
    const last = candles.at(-1)
    if (last && last.openAt === bucketOf(at, tfMs)) {
      candles[candles.length - 1] = extendCandle(last, seq, price, size)
    } else candles.push(candleOf(tfMs, seq, at, price, size))
  }
  return candles
}

it('aggregates the shortest candles to the same ones as the ticks, in every timeframe', () => {
  fc.assert(
    fc.property(anyTicks, (steps) => {
      let at = 1_700_000_000_000
      const ticks = steps.map((step, i) => ({
        at: (at += step.dt),
        seq: i + 1,
        price: step.price,
        size: step.size,
      }))
      const shortest = candlesOf(timeframes['250ms'], ticks)
      for (const tfMs of Object.values(timeframes)) {
        expect(aggregateCandles(shortest, tfMs)).toEqual(candlesOf(tfMs, ticks))
      }
    }),
  )
})

it('ignores a tick that the candle already contains', () => {
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
