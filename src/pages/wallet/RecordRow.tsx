import type { ReactNode } from 'react'
import { cx, Icon } from '../../ui/index.ts'
import styles from './RecordRow.module.css'

export type RecordRowProps = {
  title: ReactNode
  caption: ReactNode
  /** Signed and formatted. */
  amount: string
  /** Under the amount: a status or what was left. */
  below?: ReactNode
  href?: string | undefined
  /** Keeps the room of the caret where it leads nowhere, so that all figures of a list end on one edge. */
  reserveCaret?: boolean
}

/** What happened to money: what and how much on one line, when and how it stands on the next. */
export function RecordRow({ title, caption, amount, below, href, reserveCaret = true }: RecordRowProps) {
  const inside = (
    <>
      <span className={styles.lines}>
        <span className={styles.line}>
          <span className={styles.title}>{title}</span>
          <span className={styles.amount}>{amount}</span>
        </span>
        <span className={styles.line}>
          <span className={styles.caption}>{caption}</span>
          {below !== undefined && <span className={styles.below}>{below}</span>}
        </span>
      </span>
      {href !== undefined && <Icon name="caret-right" size={16} className={styles.caret} />}
    </>
  )
  if (href === undefined) return <div className={cx(styles.row, reserveCaret && styles.still)}>{inside}</div>
  return (
    <a className={cx(styles.row, styles.link)} href={href}>
      {inside}
    </a>
  )
}
