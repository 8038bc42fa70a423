import { expect, it } from 'vitest'
import { timeframeNames, timeframes } from '../../../../contract/candles.ts'
import { epochMs } from '../../../../contract/units.ts'
import { defaultPitch, futureBars } from '../../../../src/chart/geometry.ts'
import { timeframeOfDuration } from '../../../../src/chart/orderTimeframe.ts'
import { fittingTimeframe, styleNameOf } from '../../../../src/pages/product/chartTimeframe.ts'

it.each([
  [0, '1s'],
  [5, '1s'],
  [30, '1s'],
  [40, '1s'],
  [60, '5s'],
  [120, '5s'],
  [300, '15s'],
  [900, '1m'],
  [3600, '5m'],
  [86_400, '1h'],
  [40 * 86_400, '1d'],
  [400 * 86_400, '1d'],
] as const)('an order of %i s is shown on bars of %s', (seconds, frame) => {
  expect(timeframeOfDuration(seconds)).toBe(frame)
})

const phones = [320, 390].flatMap((width) =>
  [30, 60, 120, 300, 900].map((seconds) => [width, seconds] as const),
)

it.each(phones)(
  'at %i px entry, price now, window and expiry of an order of %i s stand apart from its start on',
  (width, seconds) => {
    // Prices of seven digits widen the axis.
    const plot = width - 84
    const tfMs = timeframes[timeframeOfDuration(seconds)]
    const pitch = defaultPitch(plot, tfMs)
    const ahead = (seconds * 1000) / tfMs
    // The entry is the newest bar: the expiry has its place right of it.
    expect(futureBars(plot, pitch, ahead)).toBeGreaterThan(ahead)
    expect(ahead * pitch).toBeGreaterThan(60)
    // So have the last ten seconds, if they are the window of the exit.
    if (seconds <= 60) expect((10_000 / tfMs) * pitch).toBeGreaterThan(10)
  },
)

/** An order of a duration with the time that it has left, s. */
type Open = readonly [seconds: number, left: number]
it.each<[string, Open[], string]>([
  ['no order: as the ticket', [], '1s'],
  ['one', [[300, 10]], '15s'],
  [
    'the longest of several',
    [
      [300, 290],
      [120, 40],
      [60, 20],
    ],
    '15s',
  ],
  [
    'eight times as long as the next to end',
    [
      [240, 230],
      [30, 10],
    ],
    '15s',
  ],
  [
    'longer than that: the next to end',
    [
      [300, 290],
      [30, 10],
    ],
    '1s',
  ],
  [
    'the longest that is not',
    [
      [120, 110],
      [3600, 3000],
      [30, 10],
    ],
    '5s',
  ],
  [
    'the long one once it ends first',
    [
      [30, 29],
      [900, 5],
    ],
    '1m',
  ],
  [
    'a result that stays a moment',
    [
      [300, 100],
      [30, -2],
    ],
    '1s',
  ],
])('beside a ticket of 30 s, bars for open orders: %s', (_, open, frame) => {
  const orders = open.map(([seconds, left]) => ({ seconds, closeAt: epochMs(1_000_000 + left * 1000) }))
  expect(fittingTimeframe(orders, 30)).toBe(frame)
})

it('bars of seconds have a style of their own, and bars from a minute on another', () => {
  expect(timeframeNames.filter((name) => styleNameOf(name) === 'secondsStyle')).toEqual([
    '250ms',
    '1s',
    '5s',
    '15s',
  ])
})
