import type { ReactNode } from 'react'
import { cx } from '../../src/ui/cx.ts'
import styles from './SplitView.module.css'

/** A list and, beside it, the details of what is open; on a narrow screen only one of them. */
export function SplitView({ list, detail }: { list: ReactNode; detail: ReactNode | null }) {
  const isOpen = detail !== null
  return (
    <div className={cx(styles.split, isOpen && styles.open)}>
      <div className={styles.list}>{list}</div>
      {isOpen && <div className={styles.detail}>{detail}</div>}
    </div>
  )
}
