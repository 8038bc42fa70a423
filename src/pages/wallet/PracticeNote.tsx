import type { ReactNode } from 'react'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { Icon } from '../../ui/index.ts'
import styles from './Wallet.module.css'

/** Explains what is different about practice money here. Renders nothing if the money is real. */
export function PracticeNote({ children }: { children: ReactNode }) {
  if (useVenueConfig()?.mode !== 'practice') return null
  return (
    <p className={styles.practice}>
      <Icon name="info" size={20} />
      <span>{children}</span>
    </p>
  )
}
