import type { CSSProperties, ReactNode, Ref } from 'react'
import { cx } from './cx.ts'
import styles from './Stat.module.css'

export type StatProps = {
  /** Formatted. */
  children: ReactNode
  /** The currency, small on the value's baseline. */
  unit?: ReactNode
  /** 36 once a page; 28 and 22 for secondary values. */
  size?: 17 | 22 | 28 | 36
  /** Coloured only for a profit or loss; `stale` is a price too old to trade on. */
  tone?: 'ink' | 'up' | 'down' | 'stale'
  /** Ref to the value's node, for a price that is written on every animation frame. */
  valueRef?: Ref<HTMLSpanElement>
  /** Toasts over the place around it leave it in sight. */
  uncovered?: boolean
}

/** A price or an amount. */
export function Stat({ children, unit, size = 36, tone = 'ink', valueRef, uncovered }: StatProps) {
  const fit = typeof children === 'string' ? ({ '--letters': children.length } as CSSProperties) : undefined
  return (
    <span
      className={cx(styles.figure, styles[`size${size}`])}
      style={fit}
      data-uncovered={uncovered || undefined}
    >
      <span ref={valueRef} className={styles[tone]}>
        {children}
      </span>
      {unit !== undefined && <span className={styles.unit}>{unit}</span>}
    </span>
  )
}
