import { cx } from './cx.ts'
import type { Movement } from './Change.tsx'
import styles from './Sparkline.module.css'

export type SparklineProps = {
  /** Prices in time order, evenly spaced. */
  values: readonly number[]
  /** The open the line is read against; the first value when absent. */
  baseline?: number
  movement: Movement
  /** Grey: closed or stale. */
  quiet?: boolean
  className?: string | undefined
}

/** Drawing units; CSS decides the size and the strokes keep theirs. */
const width = 100
const height = 28
const padding = 2

/** The drawn height of each value and of the baseline, 0 at the top. All of one height lie in the middle. */
export function sparklinePoints(
  values: readonly number[],
  baseline: number,
): { ys: number[]; baseY: number } {
  const low = Math.min(baseline, ...values)
  const high = Math.max(baseline, ...values)
  const y = (value: number) =>
    high === low ? height / 2 : padding + ((high - value) / (high - low)) * (height - 2 * padding)
  return { ys: values.map(y), baseY: y(baseline) }
}

/** A day's price as one small line over the dashed level it opened at. Decoration: the change beside it says it. */
export function Sparkline({ values, baseline, movement, quiet = false, className }: SparklineProps) {
  const first = values[0]
  const classes = cx(styles.line, quiet ? styles.level : styles[movement], className)
  if (first === undefined) return <span className={classes} aria-hidden="true" />
  const { ys, baseY } = sparklinePoints(values, baseline ?? first)
  const step = width / Math.max(1, ys.length - 1)
  const path = ys
    .map((y, index) => `${index === 0 ? 'M' : 'L'}${(index * step).toFixed(2)} ${y.toFixed(2)}`)
    .join('')
  return (
    <svg className={classes} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <path className={styles.base} d={`M0 ${baseY.toFixed(2)}H${width}`} />
      <path className={styles.path} d={path} />
    </svg>
  )
}
