import { describe, expect, it } from 'vitest'
import { curveLevels, curvePath, curvePoints, nearestIndex } from '../../../../src/pages/fund/curve.ts'

describe('curvePoints', () => {
  const box = { width: 112, height: 80, inset: 6 }

  it('spaces points evenly between the lowest and the highest grid line', () => {
    expect(curvePoints([10, 20, 30], [10, 20, 30], box)).toEqual([
      { x: 6, y: 80 },
      { x: 56, y: 40 },
      { x: 106, y: 0 },
    ])
  })

  it('centres a single point', () => {
    expect(curvePoints([5], curveLevels([5]), box)).toEqual([{ x: 56, y: 40 }])
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

describe('curvePath', () => {
  const at = (...ys: number[]) => ys.map((y, index) => ({ x: index * 10, y }))

  it.each([
    [at(), ''],
    [at(5), 'M0 5H0'],
    [at(5, 5, 8, 8), 'M0 5H15V8H30'],
    [at(5, 8, 2), 'M0 5H5V8H15V2H20'],
  ])('changes halfway between two days: %#', (points, path) => {
    expect(curvePath(points)).toBe(path)
  })
})
