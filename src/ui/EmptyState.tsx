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

/** Where a list or page has nothing to show: what is so, and the one thing to do. */
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
