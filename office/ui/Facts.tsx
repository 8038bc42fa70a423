import type { ReactNode } from 'react'
import { cx } from '../../src/ui/cx.ts'
import { Copy } from './Copy.tsx'
import styles from './Facts.module.css'

export type Fact = {
  label: string
  value: ReactNode
  /** Takes the whole width. */
  wide?: boolean
  /** What its button copies. */
  copy?: string
}

/** Labels and values in as many columns as fit. A fact without a value is left out. */
export function Facts({ items }: { items: readonly (Fact | false | null | undefined)[] }) {
  const shown = items.filter((item): item is Fact => Boolean(item))
  return (
    <dl className={styles.facts}>
      {shown.map((item) => (
        <div key={item.label} className={cx(styles.fact, item.wide && styles.wide)}>
          <dt>{item.label}</dt>
          <dd>
            {item.value}
            {item.copy !== undefined && <Copy text={item.copy} label={item.label} />}
          </dd>
        </div>
      ))}
    </dl>
  )
}
