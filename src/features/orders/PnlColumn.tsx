import type { ReactNode, Ref } from 'react'
import type { Tone } from './pnl.ts'
import styles from './PnlColumn.module.css'

export type PnlColumnProps = {
  tone: Tone
  /** The result in a word, before the value. */
  label?: string | undefined
  value: string
  ref?: Ref<HTMLSpanElement>
  /** Announces the result to screen readers. */
  announced?: boolean
  /** The caption below the value. */
  children: ReactNode
}

/** An order's P&L at the end of its row. */
export function PnlColumn({ tone, label, value, ref, announced = false, children }: PnlColumnProps) {
  return (
    <span className={styles.column} role={announced ? 'status' : undefined}>
      <span className={styles.line}>
        {label !== undefined && <span className={styles.label}>{label}</span>}
        <span ref={ref} className={styles.figure} data-tone={tone}>
          {value}
        </span>
      </span>
      {children}
    </span>
  )
}
