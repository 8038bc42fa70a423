import { expect, it } from 'vitest'
import { timeframeNames, timeframes } from '../../../../contract/candles.ts'
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

it.each([
  [[], '1s'],
  [[300], '15s'],
  [[30, 900], '1m'],
] as const)(
  'beside open orders of %j s, a ticket of 30 s has bars on which they are visible',
  (seconds, frame) => {
    expect(
      fittingTimeframe(
        seconds.map((each) => ({ seconds: each })),
        30,
      ),
    ).toBe(frame)
  },
)

it('bars of seconds have a style of their own, and bars from a minute on another', () => {
  expect(timeframeNames.filter((name) => styleNameOf(name) === 'secondsStyle')).toEqual([
    '250ms',
    '1s',
    '5s',
    '15s',
  ])
})
