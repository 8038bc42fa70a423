import { cx } from './cx.ts'
import type { KeyValue } from './KeyValues.tsx'
import styles from './Cells.module.css'

export type CellsProps = {
  items: readonly KeyValue[]
  /** `box`: one outline around them. `rule`: a hairline above, as at the bottom of a card. */
  border?: 'box' | 'rule'
}

/** Two or three values side by side. If it is narrow they stack into rows, so that no value touches a divider. */
export function Cells({ items, border = 'rule' }: CellsProps) {
  return (
    <div className={cx(styles.frame, styles[border])}>
      <dl className={styles.cells}>
        {items.map((item) => (
          <div key={item.key} className={styles.cell}>
            <dt className={styles.label}>{item.label}</dt>
            <dd className={styles.value}>{item.value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
