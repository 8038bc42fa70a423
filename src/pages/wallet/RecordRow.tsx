import type { ReactNode } from 'react'
import { cx, Icon } from '../../ui/index.ts'
import styles from './RecordRow.module.css'

export type RecordRowProps = {
  title: ReactNode
  caption: ReactNode
  /** Signed and formatted. */
  amount: string
  /** Under the amount: a status or what was left. */
  below: ReactNode
  href?: string | undefined
}

/** What happened to money: what and when at the left, how much and how it stands at the right. */
export function RecordRow({ title, caption, amount, below, href }: RecordRowProps) {
  const inside = (
    <>
      <span className={styles.story}>
        <span className={styles.title}>{title}</span>
        <span className={styles.caption}>{caption}</span>
      </span>
      <span className={styles.end}>
        <span className={styles.amount}>{amount}</span>
        <span className={styles.caption}>{below}</span>
      </span>
      {href !== undefined && <Icon name="caret-right" size={16} className={styles.caret} />}
    </>
  )
  if (href === undefined) return <div className={cx(styles.row, styles.still)}>{inside}</div>
  return (
    <a className={cx(styles.row, styles.link)} href={href}>
      {inside}
    </a>
  )
}
