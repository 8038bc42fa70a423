import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './Change.module.css'

/** The direction of a change. `level` is not a fall. */
export type Movement = 'up' | 'down' | 'level'

export type ChangeProps = {
  movement: Movement
  /** The signed value, formatted. */
  children: ReactNode
  /** With the triangle but without the colour: for a closed market. */
  quiet?: boolean
  /** Without the triangle, if there is another one beside it. */
  bare?: boolean
  strong?: boolean
  /** Leaves the triangle's place empty at `level`, so that the value does not move when it changes. */
  steady?: boolean
}

/** A change with triangle, sign and colour, so that none of them is the only indicator. */
export function Change({
  movement,
  children,
  quiet = false,
  bare = false,
  strong = false,
  steady = false,
}: ChangeProps) {
  return (
    <span className={cx(styles.change, quiet ? styles.quiet : styles[movement], strong && styles.strong)}>
      {!bare && (steady || movement !== 'level') && (
        <svg className={styles.mark} width="8" height="7" viewBox="0 0 8 7" aria-hidden="true">
          {movement !== 'level' && <path d={movement === 'up' ? 'M4 0 8 7H0z' : 'M4 7 0 0h8z'} />}
        </svg>
      )}
      {children}
    </span>
  )
}
