import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import type { IconName } from './iconNames.ts'
import styles from './Badge.module.css'

/** `practice` is only for practice money. */
export type BadgeKind = 'practice' | 'plain' | 'warn' | 'danger' | 'success'

/** The default icons of a status: colour is never the only indicator. */
const icons: Partial<Record<BadgeKind, IconName>> = { warn: 'clock', danger: 'x', success: 'check' }

/** A short label on a tinted background. */
export function Badge({
  kind = 'plain',
  icon,
  isSentence = false,
  children,
}: {
  kind?: BadgeKind
  icon?: IconName
  /** It takes more than one line where there is no room for it. */
  isSentence?: boolean
  children: ReactNode
}) {
  const shownIcon = icon ?? icons[kind]
  return (
    <span className={cx(styles.badge, styles[kind], isSentence && styles.sentence)}>
      {shownIcon !== undefined && <Icon name={shownIcon} size={14} />}
      {children}
    </span>
  )
}
