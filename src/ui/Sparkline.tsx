import { extentOf, linearScale, linePath } from '../chart/scale.ts'
import { cx } from './cx.ts'
import type { Movement } from './Change.tsx'
import styles from './Sparkline.module.css'

export type SparklineProps = {
  /** Prices in time order, evenly spaced. */
  values: readonly number[]
  /** The opening price; the first value by default. */
  baseline?: number
  movement: Movement
  /** Grey: market closed or price stale. */
  quiet?: boolean
  className?: string | undefined
}

/** View box units; CSS sets the size, and strokes do not scale. */
const width = 100
const height = 28
const padding = 2

/** The y coordinate of each value and of the baseline, 0 at the top. If all are equal they are in the middle. */
export function sparklinePoints(
  values: readonly number[],
  baseline: number,
): { ys: number[]; baseY: number } {
  const [low, high] = extentOf([baseline, ...values])
  const yOf = linearScale([high, low], [padding, height - padding])
  return { ys: values.map(yOf), baseY: yOf(baseline) }
}

/**
 * A day's price as a small line over the dashed opening level. Decorative: the change beside it has the information.
 */
export function Sparkline({ values, baseline, movement, quiet = false, className }: SparklineProps) {
  const first = values[0]
  const classes = cx(styles.line, quiet ? styles.level : styles[movement], className)
  if (first === undefined) return <span className={classes} aria-hidden="true" />
  const { ys, baseY } = sparklinePoints(values, baseline ?? first)
  const step = width / Math.max(1, ys.length - 1)
  const path = linePath(ys.map((y, index) => ({ x: index * step, y })))
  return (
    <svg className={classes} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <path className={styles.base} d={`M0 ${baseY.toFixed(2)}H${width}`} />
      <path className={styles.path} d={path} />
    </svg>
  )
}
