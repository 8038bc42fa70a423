import { useId, type ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './Section.module.css'

export type SectionProps = {
  title: ReactNode
  /** At the right of the title: a {@link TextLink}. */
  action?: ReactNode
  /** `title`: 17 px in a row of 44. `label`: 13 px above a card of settings. */
  head?: 'title' | 'label'
  /** One line of help below it. */
  help?: ReactNode
  children: ReactNode
}

/** A part of a page under its own heading. */
export function Section({ title, action, head = 'title', help, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className={cx(styles.head, styles[head])}>
        <h2 id={id} className={styles.heading}>
          {title}
        </h2>
        {action}
      </div>
      {children}
      {help !== undefined && <p className={styles.help}>{help}</p>}
    </section>
  )
}
