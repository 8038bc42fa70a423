import type { ReactNode } from 'react'
import { Card } from '../../ui/index.ts'
import styles from './Gallery.module.css'

/** One card of the gallery. */
export function GallerySample({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card padded className={styles.specimen}>
      <h2 className={styles.heading}>{title}</h2>
      {children}
    </Card>
  )
}
