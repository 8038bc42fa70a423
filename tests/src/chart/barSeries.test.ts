import { expect, it } from 'vitest'
import { linePoints, type BarItem } from '../../../src/chart/barSeries.ts'

const bar = (open: number, high: number, low: number, close: number) =>
  ({ open, high, low, close }) as unknown as BarItem

it.each([
  ['of minutes, through closes', 60_000, bar(5, 9, 1, 4), [4]],
  ['of ticks at one price, through it', 250, bar(5, 5, 5, 5), [5]],
  ['of ticks that rose, first through the lowest', 250, bar(4, 9, 1, 5), [1, 9, 5]],
  ['of seconds that fell, first through the highest', 1000, bar(5, 9, 1, 4), [9, 1, 4]],
])('a line %s', (_, tfMs, each, prices) => {
  const points = linePoints(each, tfMs)
  expect(points.map(([, price]) => price)).toEqual(prices)
  expect(points.at(-1)?.[0]).toBe(0)
  const distances = points.map(([before]) => before)
  expect(distances).toEqual(distances.toSorted((a, b) => b - a))
})
