import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import styles from './Tabs.module.css'

export type TabsProps<Value extends string> = {
  /** The accessible name of the tab list. */
  label: string
  items: readonly { value: Value; label: ReactNode }[]
  value: Value
  onChange: (value: Value) => void
  /** At the right end of the row, such as the favourites star. */
  end?: ReactNode
  /** On a card instead of the page: hairline and labels have the card's padding. */
  inset?: boolean
  /** The content of the current tab. */
  children: ReactNode
}

/** Views of one page. Arrow keys, Home and End move and select; the underline is ink, because it is a selection. */
export function Tabs<Value extends string>(props: TabsProps<Value>) {
  const { label, items, value, onChange, end, inset, children } = props
  return (
    <Base.Root
      value={value}
      onValueChange={(next: Value) => {
        if (next !== value) onChange(next)
      }}
    >
      <div className={cx(styles.row, inset === true && styles.inset)}>
        <Base.List className={styles.list} aria-label={label} activateOnFocus>
          {items.map((item) => (
            <Base.Tab
              key={item.value}
              value={item.value}
              className={styles.tab}
              data-text={typeof item.label === 'string' ? item.label : undefined}
            >
              {item.label}
            </Base.Tab>
          ))}
          <Base.Indicator className={styles.ink} />
        </Base.List>
        {end}
      </div>
      {/* Its content has tab stops of its own. */}
      <Base.Panel value={value} className={styles.panel} tabIndex={-1}>
        {children}
      </Base.Panel>
    </Base.Root>
  )
}
