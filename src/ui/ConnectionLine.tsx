import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import type { IconName } from './iconNames.ts'
import styles from './ConnectionLine.module.css'

export type ConnectionLineProps = { children: ReactNode; announcement?: string; icon?: IconName }

/**
 * A thin line: why prices are not live. `announcement` is for screen readers; leave counting seconds out of it.
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
