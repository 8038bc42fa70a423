/** Geometry of the fund's rate curve, in basis points and px. */

/** Three grid lines, a round step apart; the lowest is at or below the lowest value. */
export type Scale = { low: number; step: number }

/** Round steps in basis points, times a power of ten. */
const roundSteps = [1, 2, 5] as const

/** The smallest round step of which two cover all values. A flat curve is on the middle line, or close to it. */
export function scaleOf(values: readonly number[]): Scale {
  const min = Math.min(...values)
  const max = Math.max(...values)
  for (let power = 1; ; power *= 10) {
    for (const round of roundSteps) {
      const step = round * power
      if (min === max) return { low: Math.max(0, Math.round(min / step) - 1) * step, step }
      const low = Math.floor(min / step) * step
      if (low + 2 * step >= max) return { low, step }
    }
  }
}

export type Box = { width: number; height: number; inset: number }

/** The position of each value, evenly spaced, `inset` px from both ends; y is 0 at the top line. */
export function curvePoints(
  values: readonly number[],
  { low, step }: Scale,
  { width, height, inset }: Box,
): { x: number; y: number }[] {
  const pitch = values.length > 1 ? (width - 2 * inset) / (values.length - 1) : 0
  return values.map((value, index) => ({
    x: values.length > 1 ? inset + index * pitch : width / 2,
    y: height * (1 - (value - low) / (2 * step)),
  }))
}

/** A step path: a rate changes from one day to the next, so nothing is interpolated. */
export function stepPath(points: readonly { x: number; y: number }[]): string {
  const px = (value: number): string => String(Math.round(value * 10) / 10)
  // On whole pixels a vertical line is as sharp as a horizontal one.
  const midpoint = (a: number, b: number): number => Math.round((a + b) / 2)
  let path = ''
  for (const [index, { x, y }] of points.entries()) {
    const before = points[index - 1]
    if (before === undefined) path = `M${px(x)} ${px(y)}`
    else if (before.y !== y) path += `H${midpoint(before.x, x)}V${px(y)}`
    if (index === points.length - 1) path += `H${px(x)}`
  }
  return path
}

/** The index of the point nearest to an x coordinate. */
export function nearestIndex(points: readonly { x: number }[], x: number): number {
  let nearest = 0
  for (const [index, point] of points.entries()) {
    if (Math.abs(point.x - x) < Math.abs((points[nearest]?.x ?? 0) - x)) nearest = index
  }
  return nearest
}
