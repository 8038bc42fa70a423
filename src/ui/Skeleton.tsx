import type { CSSProperties } from 'react'
import { cx } from './cx.ts'
import styles from './Skeleton.module.css'

export type SkeletonProps = {
  /** px, or any CSS length; by default the container's, or the style sheet's. */
  width?: number | string
  height?: number | string
  /** Replaces a line of this type size: a block at cap height inside the line's full height. */
  line?: 12 | 13 | 15 | 17 | 22 | 28 | 36
  radius?: number
  className?: string | undefined
}

/**
 * A static placeholder in the content's final size. Hidden from screen readers: its container announces the loading.
 */
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
