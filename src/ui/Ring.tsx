import type { HTMLAttributes, ReactNode, Ref } from 'react'
import { cx } from './cx.ts'
import styles from './Ring.module.css'

export type RingProps = HTMLAttributes<HTMLDivElement> & {
  /** The width and height in px. */
  size: number
  strokeWidth: number
  /** The part that the arc covers, from 0 to 1. */
  fraction: number
  accent?: boolean
  ref?: Ref<HTMLDivElement>
  /** For {@link drawArc}. */
  arcRef?: Ref<SVGCircleElement>
  /** Centred in the ring. */
  children: ReactNode
}

/** A ring with an arc that starts at the top. The accessible name and role are its user's. */
export function Ring({
  size,
  strokeWidth,
  fraction,
  accent = false,
  arcRef,
  children,
  className,
  ...rest
}: RingProps) {
  const circle = { cx: size / 2, cy: size / 2, r: (size - strokeWidth) / 2, strokeWidth, fill: 'none' }
  return (
    <div {...rest} className={cx(styles.ring, className)} style={{ width: size, height: size }}>
      <svg width={size} height={size} viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
        <circle {...circle} className={styles.track} />
        <circle
          ref={arcRef}
          {...circle}
          className={styles.arc}
          data-accent={accent || undefined}
          pathLength={1}
          strokeDasharray={1}
          strokeDashoffset={1 - fraction}
        />
      </svg>
      {children}
    </div>
  )
}

/** Draws the arc for a fraction from 0 to 1, without rendering. */
export function drawArc(arc: SVGCircleElement, fraction: number): void {
  arc.style.strokeDashoffset = String(1 - fraction)
}
