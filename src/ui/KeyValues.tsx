import type { ReactNode } from 'react'
import styles from './KeyValues.module.css'

export type KeyValue = {
  /** Stable among its siblings. */
  key: string
  label: ReactNode
  value: ReactNode
}

/** Key-value rows of 36 px: the label wraps, the value does not. */
export function KeyValues({ items }: { items: readonly KeyValue[] }) {
  return (
    <dl>
      {items.map((item) => (
        <div key={item.key} className={styles.row}>
          <dt className={styles.label}>{item.label}</dt>
          <dd className={styles.value}>{item.value}</dd>
        </div>
      ))}
    </dl>
  )
}
