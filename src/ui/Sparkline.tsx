import { sparklineBox, sparklinePaths } from '../chart/sparkline.ts'
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

/**
 * A day's price as a small line over the dashed opening level. Decorative: the change beside it has the information.
 */
export function Sparkline({ values, baseline, movement, quiet = false, className }: SparklineProps) {
  const classes = cx(styles.line, quiet ? styles.level : styles[movement], className)
  if (values.length === 0) return <span className={classes} aria-hidden="true" />
  const { line, base } = sparklinePaths(values, baseline)
  return (
    <svg className={classes} viewBox={sparklineBox} preserveAspectRatio="none" aria-hidden="true">
      <path className={styles.base} d={base} />
      <path className={styles.path} d={line} />
    </svg>
  )
}
