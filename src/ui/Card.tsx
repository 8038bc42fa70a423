import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './Card.module.css'

export type CardProps = {
  children: ReactNode
  /** 16 px inside; leave out for rows, which bring their own. */
  padded?: boolean
  /** A hairline instead of a background: for the rare card on the market ground. */
  outlined?: boolean
  className?: string | undefined
}

/** A surface on the money ground. No border, no shadow. */
export function Card({ children, padded = false, outlined = false, className }: CardProps) {
  return (
    <div className={cx(styles.card, padded && styles.padded, outlined && styles.outlined, className)}>
      {children}
    </div>
  )
}
