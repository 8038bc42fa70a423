import { useId, type ReactNode } from 'react'
import styles from './Block.module.css'

type BlockProps = { title: ReactNode; tools?: ReactNode; children: ReactNode; flush?: boolean }

/** A titled part of a screen. `flush` is for tables, which have their own edges. */
export function Block({ title, tools, children, flush = false }: BlockProps) {
  const id = useId()
  return (
    <section className={styles.block} aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {tools !== undefined && <div className={styles.tools}>{tools}</div>}
      </header>
      <div className={flush ? undefined : styles.body}>{children}</div>
    </section>
  )
}
