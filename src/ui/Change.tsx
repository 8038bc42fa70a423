import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './Change.module.css'

/** Which way a figure moved. Level is its own thing, not a fall. */
export type Movement = 'up' | 'down' | 'level'

export type ChangeProps = {
  movement: Movement
  /** The signed figure, formatted. */
  children: ReactNode
  /** Keeps the triangle, gives up the colour: a closed market. */
  quiet?: boolean
  /** Without the triangle, where one beside it already says the way. */
  bare?: boolean
  strong?: boolean
}

/** A movement: triangle, sign and colour together, so that none has to speak alone. */
export function Change({ movement, children, quiet = false, bare = false, strong = false }: ChangeProps) {
  return (
    <span className={cx(styles.change, quiet ? styles.quiet : styles[movement], strong && styles.strong)}>
      {!bare && movement !== 'level' && (
        <svg className={styles.mark} width="8" height="7" viewBox="0 0 8 7" aria-hidden="true">
          <path d={movement === 'up' ? 'M4 0 8 7H0z' : 'M4 7 0 0h8z'} />
        </svg>
      )}
      {children}
    </span>
  )
}
