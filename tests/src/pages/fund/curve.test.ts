import { describe, expect, it } from 'vitest'
import { curvePoints, nearestIndex, scaleOf, stepPath } from '../../../../src/pages/fund/curve.ts'
import { fc } from '../../../support/fastCheck.ts'

describe('scaleOf', () => {
  it.each([
    [[166, 168, 167, 171, 174, 170, 172], { low: 165, step: 5 }],
    [[176, 177, 178, 179], { low: 176, step: 2 }],
    [[100, 400], { low: 0, step: 200 }],
    [[178], { low: 177, step: 1 }],
    [[178, 178, 178], { low: 177, step: 1 }],
    [[0, 0], { low: 0, step: 1 }],
  ])('returns the scale of %j', (values, scale) => {
    expect(scaleOf(values)).toEqual(scale)
  })

  it('covers every value with a round step', () => {
    const rates = fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 90 })
    fc.assert(
      fc.property(rates, (values) => {
        const { low, step } = scaleOf(values)
        expect(low).toBeGreaterThanOrEqual(0)
        expect(low).toBeLessThanOrEqual(Math.min(...values))
        expect(low + 2 * step).toBeGreaterThanOrEqual(Math.max(...values))
        expect(String(step)).toMatch(/^[125]0*$/)
      }),
    )
  })
})

describe('curvePoints', () => {
  const box = { width: 112, height: 80, inset: 6 }

  it('spaces points evenly, with the highest line at the top', () => {
    expect(curvePoints([10, 20, 30], { low: 10, step: 10 }, box)).toEqual([
      { x: 6, y: 80 },
      { x: 56, y: 40 },
      { x: 106, y: 0 },
    ])
  })

  it('centres a single point', () => {
    expect(curvePoints([5], { low: 4, step: 1 }, box)).toEqual([{ x: 56, y: 40 }])
  })

  it.each([
    [-50, 0],
    [6, 0],
    [30, 0],
    [32, 1],
    [56, 1],
    [500, 2],
  ])('finds at %d px the nearest point %d', (x, index) => {
    expect(nearestIndex([{ x: 6 }, { x: 56 }, { x: 106 }], x)).toBe(index)
  })
})

describe('stepPath', () => {
  const at = (...ys: number[]) => ys.map((y, index) => ({ x: index * 10, y }))

  it.each([
    [at(), ''],
    [at(5), 'M0 5H0'],
    [at(5, 5, 5), 'M0 5H20'],
    [at(5, 5, 8, 8), 'M0 5H15V8H30'],
    [at(5, 8, 2), 'M0 5H5V8H15V2H20'],
  ])('uses only horizontal and vertical lines: %#', (points, path) => {
    expect(stepPath(points)).toBe(path)
  })
})
