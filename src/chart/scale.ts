/** Geometry of the lines that we draw as SVG: scales, axis levels and paths. Candles use their library's scales. */

export type Point = { x: number; y: number }
export type Span = readonly [from: number, to: number]

/** The lowest and the highest of at least one value. */
export function extentOf(values: readonly number[]): Span {
  let low = Infinity
  let high = -Infinity
  for (const value of values) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  return [low, high]
}

/** Maps `domain` linearly to `range`, and everything to the middle of the range if the domain is a single value. */
export function linearScale(domain: Span, range: Span): (value: number) => number {
  const [from, to] = domain
  const [start, end] = range
  if (from === to) return () => (start + end) / 2
  return (value) => start + ((value - from) / (to - from)) * (end - start)
}

/** 1, 2, 5, 10, 20, 50 and so on, from `n` = 0. */
const roundStep = (n: number): number => ([1, 2, 5][n % 3] ?? 1) * 10 ** Math.floor(n / 3)

/** At least `countMin` multiples of a round step within a span of integer units, as far apart as possible. */
export function levelsWithin([low, high]: Span, countMin: number): number[] {
  const countOf = (step: number) => Math.floor(high / step) - Math.ceil(low / step) + 1
  let step = roundStep(0)
  for (let n = 1; countOf(roundStep(n)) >= countMin; n++) step = roundStep(n)
  const first = Math.ceil(low / step)
  return Array.from({ length: Math.max(0, countOf(step)) }, (_, i) => (first + i) * step)
}

/**
 * `count` levels, at least two, that cover a span of integer units, a round step and as little as possible apart; none
 * is below 0. If the span is a single value, it is the second level.
 */
export function levelsAround([low, high]: Span, count: number): number[] {
  const levelsFrom = (first: number, step: number) =>
    Array.from({ length: count }, (_, i) => first + i * step)
  if (low === high) return levelsFrom(Math.max(0, low - 1), 1)
  for (let n = 0; ; n++) {
    const step = roundStep(n)
    const levels = levelsFrom(Math.floor(low / step) * step, step)
    if ((levels.at(-1) ?? 0) >= high) return levels
  }
}

/** SVG path data of straight lines from point to point. */
export function linePath(points: readonly Point[]): string {
  return points.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${rounded(x)} ${rounded(y)}`).join('')
}

/** SVG path data without interpolation: each point's y is valid until the next point's x, the last one's until `endX`. */
export function stepPath(points: readonly Point[], endX: number): string {
  const [first] = points
  if (first === undefined) return ''
  let path = `M${rounded(first.x)} ${rounded(first.y)}`
  let { y: currentY } = first
  for (const { x, y } of points) {
    if (y !== currentY) path += `H${rounded(x)}V${rounded(y)}`
    currentY = y
  }
  return `${path}H${rounded(endX)}`
}

/** A tenth of a unit is more precise than any screen, and keeps long paths short. */
const rounded = (value: number): string => String(Math.round(value * 10) / 10)
