import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import type { IconName } from './iconNames.ts'
import styles from './ConnectionLine.module.css'

export type ConnectionLineProps = { children: ReactNode; announcement?: string; icon?: IconName }

/**
 * The thin line below the title bar while prices are not live. Do not render it when they are: it takes space in the
 * layout. `announcement` is for screen readers; leave counting seconds out of it.
 */
export function ConnectionLine({ children, announcement, icon = 'wifi-slash' }: ConnectionLineProps) {
  return (
    <div className={styles.line}>
      <Icon name={icon} size={14} />
      <span aria-hidden={announcement === undefined ? undefined : true}>{children}</span>
      <output className={styles.spoken}>{announcement}</output>
    </div>
  )
}
