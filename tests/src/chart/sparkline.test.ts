import { describe, expect, it } from 'vitest'
import { sparklinePoints } from '../../../src/chart/sparkline.ts'

describe('sparklinePoints', () => {
  it.each([
    ['a rise ends at the top', [1, 2, 3], 1, [26, 14, 2], 26],
    ['a fall ends at the bottom', [3, 1], 3, [2, 26], 2],
    ['a level day is in the middle', [5, 5], 5, [14, 14], 14],
    ['the opening price is included even outside the line', [10, 20], 0, [14, 2], 26],
  ])('%s', (_, values, baseline, ys, baseY) => {
    expect(sparklinePoints(values, baseline)).toEqual({ ys, baseY })
  })
})
