import type { KeyValue } from '../../ui/index.ts'
import styles from './FactRows.module.css'

/** Read-only values as rows of a card; a value may wrap to any number of lines. */
export function FactRows({ items }: { items: readonly KeyValue[] }) {
  return (
    <dl>
      {items.map(({ key, label, value }) => (
        <div key={key} className={styles.row}>
          <dt className={styles.label}>{label}</dt>
          <dd className={styles.value}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
