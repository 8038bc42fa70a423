import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import { NavCount } from './NavCount.tsx'
import type { NavItem } from './navItem.ts'
import styles from './TabBar.module.css'

export type TabBarProps = {
  /** The accessible name of the landmark. */
  label: string
  items: readonly NavItem[]
  /** `id` of the item the page belongs to. */
  current: string | undefined
}

/** The four tabs at the bottom of a phone; from 900 px the {@link Rail} replaces it. */
export function TabBar({ label, items, current }: TabBarProps) {
  return (
    <nav className={styles.bar} aria-label={label}>
      <ul className={styles.list}>
        {items.map((item) => {
          const active = item.id === current
          return (
            <li key={item.id} className={styles.cell}>
              <a
                className={cx(styles.tab, active && styles.active)}
                href={item.href}
                aria-current={active ? 'page' : undefined}
              >
                <Icon name={active ? (item.activeIcon ?? item.icon) : item.icon} size={24} />
                <span className={styles.label}>{item.label}</span>
                <NavCount item={item} className={styles.count} />
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
