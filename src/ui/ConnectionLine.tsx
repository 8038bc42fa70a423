import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import styles from './ConnectionLine.module.css'

/**
 * The thin line under the title bar while prices are not live. Render nothing when they are: it reserves no
 * room and pushes what is below. `spoken` is what a screen reader hears; leave running seconds out of it.
 */
export function ConnectionLine({ children, spoken }: { children: ReactNode; spoken?: string }) {
  return (
    <div className={styles.line}>
      <Icon name="wifi-slash" size={14} />
      <span aria-hidden={spoken === undefined ? undefined : true}>{children}</span>
      <output className={styles.spoken}>{spoken}</output>
    </div>
  )
}
