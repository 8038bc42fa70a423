import { extentOf, linearScale, linePath } from './scale.ts'

/** View box units; CSS sets the size, and strokes do not scale. */
const width = 100
const height = 28
const padding = 2

export const sparklineBox = `0 0 ${width} ${height}`

/** The y coordinate of each value and of the baseline, 0 at the top. If all are equal they are in the middle. */
export function sparklinePoints(
  values: readonly number[],
  baseline: number,
): { ys: number[]; baseY: number } {
  const [low, high] = extentOf([baseline, ...values])
  const yOf = linearScale([high, low], [padding, height - padding])
  return { ys: values.map(yOf), baseY: yOf(baseline) }
}

/** SVG path data of the line and of the level that it starts from. */
export function sparklinePaths(
  values: readonly number[],
  baseline = values[0] ?? 0,
): { line: string; base: string } {
  const { ys, baseY } = sparklinePoints(values, baseline)
  const step = width / Math.max(1, ys.length - 1)
  return {
    line: linePath(ys.map((y, index) => ({ x: index * step, y }))),
    base: `M0 ${baseY.toFixed(2)}H${width}`,
  }
}
