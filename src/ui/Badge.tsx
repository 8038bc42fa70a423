import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import type { IconName } from './iconNames.ts'
import styles from './Badge.module.css'

/** `practice` is the mark of practice money and nothing else. */
export type BadgeKind = 'practice' | 'plain' | 'warn' | 'danger' | 'success'

/** What a status wears when the caller names no icon: colour never speaks alone. */
const icons: Partial<Record<BadgeKind, IconName>> = { warn: 'clock', danger: 'x', success: 'check' }

/** A word on a small ground. */
export function Badge({
  kind = 'plain',
  icon,
  children,
}: {
  kind?: BadgeKind
  icon?: IconName
  children: ReactNode
}) {
  const shownIcon = icon ?? icons[kind]
  return (
    <span className={cx(styles.badge, styles[kind])}>
      {shownIcon !== undefined && <Icon name={shownIcon} size={14} />}
      {children}
    </span>
  )
}
