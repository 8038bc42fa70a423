import { extentOf, levelsAround, linearScale, stepPath, type Point } from '../../chart/scale.ts'

/** Geometry of the fund's rate curve, in basis points and px. */

/** Three grid lines that cover all rates, lowest first. */
export type Levels = [low: number, middle: number, high: number]
export type Box = { width: number; height: number; inset: number }

export function curveLevels(rates: readonly number[]): Levels {
  const [low = 0, middle = 0, high = 0] = levelsAround(extentOf(rates), 3)
  return [low, middle, high]
}

/** The position of each rate, evenly spaced, `inset` px from both ends; y is 0 at the highest grid line. */
export function curvePoints(rates: readonly number[], [low, , high]: Levels, box: Box): Point[] {
  const xOf = linearScale([0, rates.length - 1], [box.inset, box.width - box.inset])
  const yOf = linearScale([low, high], [box.height, 0])
  return rates.map((rate, index) => ({ x: xOf(index), y: yOf(rate) }))
}

/** A step path: a rate changes from one day to the next, so nothing is interpolated. */
export function curvePath(points: readonly Point[]): string {
  const steps = points.map(({ x, y }, index) => {
    const before = points[index - 1]
    // On whole pixels a vertical line is as sharp as a horizontal one.
    return before === undefined ? { x, y } : { x: Math.round((before.x + x) / 2), y }
  })
  return stepPath(steps, points.at(-1)?.x ?? 0)
}

/** The index of the point nearest to an x coordinate. */
export function nearestIndex(points: readonly { x: number }[], x: number): number {
  let nearest = 0
  for (const [index, point] of points.entries()) {
    if (Math.abs(point.x - x) < Math.abs((points[nearest]?.x ?? 0) - x)) nearest = index
  }
  return nearest
}
