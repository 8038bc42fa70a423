import { describe, expect, it } from 'vitest'
import {
  startIndicator,
  type IndicatorBar,
  type Values,
} from '../../../../src/chart/indicators/computations.ts'
import {
  areParams,
  indicatorKinds,
  indicatorRules,
  type IndicatorKind,
} from '../../../../src/chart/indicators/kinds.ts'
import { fc } from '../../../support/fastCheck.ts'

const barOf = (close: number): IndicatorBar => ({ high: close, low: close, close, volume: close })

function valuesOf(kind: IndicatorKind, params: readonly number[], bars: readonly IndicatorBar[]): Values[] {
  const indicator = startIndicator(kind, params)
  return bars.map((bar) => indicator.update(bar, false))
}
const closes = (kind: IndicatorKind, params: readonly number[], prices: readonly number[]): Values[] =>
  valuesOf(kind, params, prices.map(barOf))
const known = (rows: readonly Values[], line = 0): number[] =>
  rows.map((row) => row[line] ?? NaN).filter((value) => !Number.isNaN(value))
const rounded = (values: readonly number[], decimals = 2): number[] =>
  values.map((value) => Number(value.toFixed(decimals)))

/** The worked examples of the averages and of RSI that StockCharts publishes; the rest is compared with its definition. */
const movingAverages = [
  22.2734, 22.194, 22.0847, 22.1741, 22.184, 22.1344, 22.2337, 22.4323, 22.2436, 22.2933, 22.1542, 22.3926,
  22.3816, 22.6109, 23.3558, 24.0519, 23.753, 23.8324, 23.9516, 23.6338, 23.8225, 23.8722, 23.6537, 23.187,
  23.0976, 23.326, 22.6805, 23.0976, 22.4025, 22.1725,
]
const relativeStrength = [
  44.3389, 44.0902, 44.1497, 43.6124, 44.3278, 44.8264, 45.0955, 45.4245, 45.8433, 46.0826, 45.8931, 46.0328,
  45.614, 46.282, 46.282, 46.0028, 46.0328, 46.4116, 46.2222, 45.6439, 46.2122, 46.2521, 45.7137, 46.4515,
  45.7835, 45.3548, 44.0288, 44.1783, 44.2181, 44.5672, 43.4205, 42.6628, 43.1314,
]
describe('published values', () => {
  it('of simple and exponential moving averages', () => {
    expect(rounded(known(closes('MA', [10], movingAverages)))).toEqual([
      22.22, 22.21, 22.23, 22.26, 22.31, 22.42, 22.61, 22.77, 22.91, 23.08, 23.21, 23.38, 23.53, 23.65, 23.71,
      23.69, 23.61, 23.51, 23.43, 23.28, 23.13,
    ])
    const exponential = known(closes('EMA', [10], movingAverages))
    for (const [i, value] of [22.22475, 22.21192272727273, 22.24477314049587, 22.269650751314803].entries())
      expect(exponential[i]).toBeCloseTo(value, 9)
  })

  it('of the relative strength index', () => {
    const published = [
      70.5328, 66.3186, 66.5498, 69.4063, 66.3552, 57.9749, 62.9296, 63.2571, 56.0593, 62.3771, 54.7076,
      50.4228, 39.9898, 41.4605, 41.8689, 45.4632, 37.304, 33.0795, 37.773,
    ]
    const computed = known(closes('RSI', [14], relativeStrength))
    expect(computed).toHaveLength(published.length)
    for (const [i, value] of published.entries()) expect(computed[i]).toBeCloseTo(value, 2)
  })
})

const anyBars = fc.array(
  fc
    .tuple(fc.integer({ min: 1, max: 500 }), fc.nat(40), fc.nat(40), fc.nat(90))
    .map(([low, height, up, volume]) => ({
      low,
      high: low + height,
      close: low + Math.min(height, up),
      volume,
    })),
  { minLength: 1, maxLength: 60 },
)

describe('values bar by bar', () => {
  it('follow their definitions', () => {
    const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length
    fc.assert(
      fc.property(anyBars, (bars) => {
        // MACD from whole columns, each average computed over again.
        const ema = (values: readonly number[], length: number): number[] => {
          const factor = 2 / (length + 1)
          let last = NaN
          return values.map((value, i) => {
            if (i === length - 1) last = mean(values.slice(0, length))
            else if (i >= length) last = value * factor + last * (1 - factor)
            return i < length - 1 ? NaN : last
          })
        }
        const prices = bars.map(({ close }) => close)
        const slow = ema(prices, 6)
        const difference = ema(prices, 3).map((value, i) => value - (slow[i] ?? NaN))
        const signal = [...slow.slice(0, 5).map(() => NaN), ...ema(difference.slice(5), 4)]
        let [k, d] = [50, 50]
        const kdj = bars.map((bar, i) => {
          if (i < 4) return [NaN, NaN, NaN]
          const range = bars.slice(i - 4, i + 1)
          const high = Math.max(...range.map((each) => each.high))
          const low = Math.min(...range.map((each) => each.low))
          k = (2 * k + (high === low ? 50 : ((bar.close - low) / (high - low)) * 100)) / 3
          d = (2 * d + k) / 3
          return [k, d, 3 * k - 2 * d]
        })
        const macd = valuesOf('MACD', [3, 6, 4], bars)
        const found = valuesOf('KDJ', [5, 3, 3], bars)
        const volumes = valuesOf('VOL', [2, 3], bars)
        const bands = valuesOf('BOLL', [4, 2], bars)
        for (const [i, bar] of bars.entries()) {
          expectClose(macd[i], [difference[i], signal[i], (difference[i] ?? NaN) - (signal[i] ?? NaN)])
          expectClose(found[i], kdj[i])
          const range = i < 3 ? [] : prices.slice(i - 3, i + 1)
          const middle = mean(range)
          const width = 2 * Math.sqrt(mean(range.map((price) => (price - middle) ** 2)))
          expectClose(bands[i], [middle, middle + width, middle - width])
          const volumeMean = (length: number): number =>
            i < length - 1 ? NaN : mean(bars.slice(i + 1 - length, i + 1).map(({ volume }) => volume))
          expectClose(volumes[i], [bar.volume, volumeMean(2), volumeMean(3)])
        }
      }),
    )
  })

  it.each(indicatorKinds)('of %s are the same however often the newest bar changes', (kind) => {
    const params = kind === 'BOLL' ? [5, 2] : indicatorRules[kind].params.map((_, i) => 3 + i)
    fc.assert(
      fc.property(anyBars, fc.array(fc.nat(3), { minLength: 60, maxLength: 60 }), (bars, changes) => {
        const expected = valuesOf(kind, params, bars)
        const indicator = startIndicator(kind, params)
        for (const [i, bar] of bars.entries()) {
          let values = indicator.update(changes[i] === 0 ? bar : barOf(700 - i), false)
          for (let n = 1; n < (changes[i] ?? 0); n++) indicator.update(barOf(n * 50), true)
          if (changes[i] !== 0) values = indicator.update(bar, true)
          expectClose(values, expected[i])
        }
      }),
    )
  })
})

function expectClose(
  actual: Values | undefined,
  expected: readonly (number | undefined)[] | undefined,
): void {
  if (actual?.length !== expected?.length) expect(actual).toHaveLength(expected?.length ?? -1)
  // Compared first, because there are very many.
  const isClose = (a = NaN, b = NaN): boolean => Object.is(a, b) || Math.abs(a - b) < 5e-7
  if (expected?.every((value, i) => isClose(actual?.[i], value)) === true) return
  expect(actual).toEqual(expected)
}

it.each([
  ['MA', [5, 10, 20], true],
  ['MA', [5, 10], false],
  ['MA', [5, 10, 1], false],
  ['MA', [5, 10, 2.5], false],
  ['MA', [5, 10, 501], false],
  ['BOLL', [20, 2.5], true],
  ['BOLL', [20, 0], false],
  ['MACD', [26, 12, 9], false],
  ['MACD', [12, 26, 9], true],
] as const)('%s with %j is possible: %s', (kind, params, possible) => {
  expect(areParams(kind, params)).toBe(possible)
})

it('every indicator has a name for each value, and its own parameters are possible', () => {
  for (const kind of indicatorKinds) {
    const { params, lines } = indicatorRules[kind]
    expect(areParams(kind, params)).toBe(true)
    expect(startIndicator(kind, params).update(barOf(1), false)).toHaveLength(lines(params).length)
  }
})
