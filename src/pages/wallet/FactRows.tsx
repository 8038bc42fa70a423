import type { KeyValue } from '../../ui/index.ts'
import styles from './FactRows.module.css'

/** What is known and not changed here, as rows of a card: the value may take as many lines as it needs. */
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
