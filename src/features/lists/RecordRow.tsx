import type { ReactNode } from 'react'
import { cx, Icon } from '../../ui/index.ts'
import styles from './RecordRow.module.css'

export type RecordRowProps = {
  title: ReactNode
  caption: ReactNode
  /** Signed and formatted. */
  amount: string
  /** Below the amount: a status or the balance after it. */
  below?: ReactNode
  href?: string | undefined
  /** Reserves the space of the caret if there is no link, so that all amounts of a list are aligned. */
  reserveCaret?: boolean
}

/** A record: title and amount on one line, caption and status on the next. */
export function RecordRow({ title, caption, amount, below, href, reserveCaret = true }: RecordRowProps) {
  const content = (
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
  if (href === undefined) return <div className={cx(styles.row, reserveCaret && styles.still)}>{content}</div>
  return (
    <a className={cx(styles.row, styles.link)} href={href}>
      {content}
    </a>
  )
}
