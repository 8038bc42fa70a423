import type { ReactNode, Ref } from 'react'
import type { Tone } from './pnl.ts'
import styles from './PnlColumn.module.css'

export type PnlColumnProps = {
  tone: Tone
  value: string
  ref?: Ref<HTMLSpanElement>
  /** Announces the result to screen readers. */
  announced?: boolean
  /** The caption below the value. */
  children: ReactNode
}

/** An order's P&L at the end of its row. */
export function PnlColumn({ tone, value, ref, announced = false, children }: PnlColumnProps) {
  return (
    <span className={styles.column} role={announced ? 'status' : undefined}>
      <span ref={ref} className={styles.figure} data-tone={tone}>
        {value}
      </span>
      {children}
    </span>
  )
}
