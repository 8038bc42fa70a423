import type { ReactNode } from 'react'
import styles from './Timeline.module.css'

export type TimelineNode = {
  key: string
  title: ReactNode
  caption?: ReactNode
  /** The date; left out if there is none yet. */
  when?: ReactNode
  /** `done`: completed; `now`: in progress; `ahead`: not started; `failed`: ended without success. */
  state: 'done' | 'now' | 'ahead' | 'failed'
}

/** The steps so far and the next ones, from top to bottom. */
export function Timeline({ nodes }: { nodes: readonly TimelineNode[] }) {
  return (
    <ol className={styles.line}>
      {nodes.map(({ key, title, caption, when, state }) => (
        <li
          key={key}
          className={styles.node}
          data-state={state}
          aria-current={state === 'now' ? 'step' : undefined}
        >
          <span className={styles.text}>
            <span>{title}</span>
            {caption !== undefined && <span className={styles.caption}>{caption}</span>}
          </span>
          {when !== undefined && <span className={styles.when}>{when}</span>}
        </li>
      ))}
    </ol>
  )
}
