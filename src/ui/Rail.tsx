import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import { Logo } from './Logo.tsx'
import { NavCount } from './NavCount.tsx'
import type { NavItem } from './navItem.ts'
import styles from './Rail.module.css'

export type RailProps = {
  label: string
  items: readonly NavItem[]
  current: string | undefined
  /** The name beside the logo, and the logo's link. */
  brand: { name: string; href: string }
  /** Secondary items at the bottom: messages, support, settings. */
  secondary?: readonly NavItem[]
  /** A row below them that is not a link: the language. */
  last?: ReactNode
  /** The last line, below a hairline: connection and venue time. */
  footer?: ReactNode
}

/** The left rail from 900 px on; hidden below, where the {@link TabBar} is. */
export function Rail({ label, items, current, brand, secondary, last, footer }: RailProps) {
  return (
    <nav className={styles.rail} aria-label={label}>
      <a className={styles.brand} href={brand.href}>
        <Logo name={brand.name} />
      </a>
      <ul>
        {items.map((item) => (
          <RailItem key={item.id} item={item} active={item.id === current} />
        ))}
      </ul>
      <div className={styles.air} data-rail-free="" />
      <ul>
        {secondary?.map((item) => (
          <RailItem key={item.id} item={item} active={item.id === current} />
        ))}
        {last !== undefined && <li>{last}</li>}
      </ul>
      {footer !== undefined && <div className={styles.footer}>{footer}</div>}
    </nav>
  )
}

function RailItem({ item, active }: { item: NavItem; active: boolean }) {
  return (
    <li>
      <a
        className={cx(styles.item, active && styles.active)}
        href={item.href}
        aria-current={active ? 'page' : undefined}
      >
        <Icon name={active ? (item.activeIcon ?? item.icon) : item.icon} size={22} />
        <span className={styles.label}>{item.label}</span>
        <NavCount item={item} className={styles.count} />
      </a>
    </li>
  )
}
