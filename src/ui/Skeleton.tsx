import type { CSSProperties } from 'react'
import { cx } from './cx.ts'
import styles from './Skeleton.module.css'

export type SkeletonProps = {
  /** px, or any CSS length; left out, its container's, or what the style sheet says. */
  width?: number | string
  height?: number | string
  /** Stands for a line of this type size: a block at cap height inside the line's full height. */
  line?: 12 | 13 | 15 | 17 | 22 | 28 | 36
  radius?: number
  className?: string | undefined
}

/** A still block where something will stand, in its final size. Silent: the list around it says it loads. */
export function Skeleton({ width, height, line, radius, className }: SkeletonProps) {
  const size: CSSProperties = {
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(radius === undefined ? {} : { borderRadius: radius }),
  }
  return (
    <span
      aria-hidden="true"
      data-skeleton=""
      className={cx(
        styles.block,
        line !== undefined && styles.line,
        line !== undefined && styles[`line${line}`],
        className,
      )}
      {...(Object.keys(size).length === 0 ? {} : { style: size })}
    />
  )
}
