import { describe, expect, it } from 'vitest'
import {
  extentOf,
  levelsAround,
  levelsWithin,
  linearScale,
  linePath,
  stepPath,
} from '../../../src/chart/scale.ts'
import { fc } from '../../support/fastCheck.ts'

describe('extentOf', () => {
  it('is the lowest and the highest value', () => {
    expect(extentOf([3, -1, 7, 2])).toEqual([-1, 7])
    expect(extentOf([5])).toEqual([5, 5])
  })
})

describe('linearScale', () => {
  it.each([
    ['the start', [10, 20], [0, 100], 10, 0],
    ['the end', [10, 20], [0, 100], 20, 100],
    ['between', [10, 20], [0, 100], 12, 20],
    ['outside', [10, 20], [0, 100], 30, 200],
    ['a descending range, as y is in px', [0, 4], [80, 0], 1, 60],
    ['a domain of a single value', [7, 7], [0, 100], 7, 50],
  ] as const)('maps %s', (_, domain, range, value, result) => {
    expect(linearScale(domain, range)(value)).toBe(result)
  })
})

describe('levelsWithin', () => {
  it.each([
    [
      [0.8, 2.2],
      [1, 2],
    ],
    [
      [498.8, 501.2],
      [499, 500, 501],
    ],
    [
      [9, 21],
      [10, 15, 20],
    ],
    [
      [578, 1022],
      [600, 800, 1000],
    ],
    [
      [90, 210],
      [100, 150, 200],
    ],
    [
      [-100_000, 1_100_000],
      [0, 500_000, 1_000_000],
    ],
  ] as const)('has levels far apart in %j', (span, levels) => {
    expect(levelsWithin(span, 3)).toEqual(levels)
  })

  it('has three to seven levels, a round step apart, in every span of more than two units', () => {
    const spans = fc.tuple(fc.integer({ min: 0, max: 10_000_000 }), fc.integer({ min: 2, max: 10_000_000 }))
    fc.assert(
      fc.property(spans, ([low, extent]) => {
        const levels = levelsWithin([low, low + extent], 3)
        expect(levels.length).toBeGreaterThanOrEqual(3)
        expect(levels.length).toBeLessThanOrEqual(7)
        expect(levels[0]).toBeGreaterThanOrEqual(low)
        expect(levels.at(-1)).toBeLessThanOrEqual(low + extent)
        expect(String((levels[1] ?? 0) - (levels[0] ?? 0))).toMatch(/^[125]0*$/)
      }),
    )
  })
})

describe('levelsAround', () => {
  it.each([
    [
      [166, 174],
      [165, 170, 175],
    ],
    [
      [176, 179],
      [176, 178, 180],
    ],
    [
      [100, 400],
      [0, 200, 400],
    ],
    [
      [178, 178],
      [177, 178, 179],
    ],
    [
      [0, 0],
      [0, 1, 2],
    ],
  ] as const)('covers %j', (span, levels) => {
    expect(levelsAround(span, 3)).toEqual(levels)
  })

  it('covers every span with a round step', () => {
    const rate = fc.integer({ min: 0, max: 100_000 })
    fc.assert(
      fc.property(fc.tuple(rate, rate), (values) => {
        const [low, high] = extentOf(values)
        const levels = levelsAround([low, high], 3)
        expect(levels).toHaveLength(3)
        expect(levels[0]).toBeGreaterThanOrEqual(0)
        expect(levels[0]).toBeLessThanOrEqual(low)
        expect(levels[2]).toBeGreaterThanOrEqual(high)
        expect(String((levels[1] ?? 0) - (levels[0] ?? 0))).toMatch(/^[125]0*$/)
      }),
    )
  })
})

describe('linePath', () => {
  it('connects points by straight lines, to a tenth of a px', () => {
    const points = [
      { x: 0, y: 2.04 },
      { x: 33.333, y: 26 },
      { x: 100, y: 14.05 },
    ]
    expect(linePath(points)).toBe('M0 2L33.3 26L100 14.1')
    expect(linePath([])).toBe('')
  })
})

describe('stepPath', () => {
  const at = (...ys: number[]) => ys.map((y, index) => ({ x: index * 10, y }))

  it.each([
    ['no points', at(), 9, ''],
    ['one point', at(5), 9, 'M0 5H9'],
    ['a constant value', at(5, 5, 5), 25, 'M0 5H25'],
    ['a step', at(5, 5, 8, 8), 30, 'M0 5H20V8H30'],
    ['several steps', at(5, 8, 2), 20, 'M0 5H10V8H20V2H20'],
    ['fractions', [{ x: 0.04, y: 0.26 }], 9.96, 'M0 0.3H10'],
  ])('uses only horizontal and vertical lines: %s', (_, points, endX, path) => {
    expect(stepPath(points, endX)).toBe(path)
  })
})
