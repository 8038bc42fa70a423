import type { ReactNode } from 'react'
import styles from './Timeline.module.css'

export type TimelineNode = {
  key: string
  title: ReactNode
  caption?: ReactNode
  /** When; left out for what has no date yet. */
  when?: ReactNode
  /** `done` is behind, `now` under way, `ahead` still to come, `failed` the end that was not hoped for. */
  state: 'done' | 'now' | 'ahead' | 'failed'
}

/** What happened and what comes next, from top to bottom. */
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
