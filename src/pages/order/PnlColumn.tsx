import type { ReactNode, Ref } from 'react'
import type { Tone } from './pnl.ts'
import styles from './PnlColumn.module.css'

export type PnlColumnProps = {
  tone: Tone
  value: string
  ref?: Ref<HTMLSpanElement>
  /** Says the result to whoever cannot see it come. */
  announced?: boolean
  /** What the figure means, under it. */
  children: ReactNode
}

/** What an order comes to, at the end of its row. */
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
