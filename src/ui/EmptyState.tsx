import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import type { IconName } from './iconNames.ts'
import styles from './EmptyState.module.css'

export type EmptyStateProps = {
  icon?: IconName
  title: ReactNode
  /** One sentence. */
  children?: ReactNode
  /** One button. */
  action?: ReactNode
  /** A small last line, such as the number of a failed request. */
  note?: ReactNode
}

/** Shown if a list or page is empty: the reason and one action. */
export function EmptyState({ icon = 'receipt', title, children, action, note }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      <Icon name={icon} size={32} className={styles.icon} />
      <h2 className={styles.title}>{title}</h2>
      {children !== undefined && <p className={styles.sentence}>{children}</p>}
      {action !== undefined && <div className={styles.action}>{action}</div>}
      {note !== undefined && <p className={styles.note}>{note}</p>}
    </div>
  )
}
