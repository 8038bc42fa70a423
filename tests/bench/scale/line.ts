/** The straight line with the least squares through some points; `at` is its value where x is 0. */
export function fittedLine(points: readonly (readonly [x: number, y: number])[]): {
  at: number
  slope: number
} {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const [x0, y0] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const spread = points.reduce((sum, [x]) => sum + (x - x0) ** 2, 0)
  const slope = points.reduce((sum, [x, y]) => sum + (x - x0) * (y - y0), 0) / spread
  return { at: y0 - slope * x0, slope }
}
