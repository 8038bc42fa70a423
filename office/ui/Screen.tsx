import type { ReactNode } from 'react'
import { ZoneNote } from './ZoneNote.tsx'
import styles from './Screen.module.css'

type ScreenProps = {
  title: ReactNode
  /** Beside the title: a count or a state. */
  note?: ReactNode
  /** At the right of the title bar: filters and actions. */
  tools?: ReactNode
  children: ReactNode
}

/** The frame of a screen: one title bar, and below it what scrolls by itself. */
export function Screen({ title, note, tools, children }: ScreenProps) {
  return (
    <main className={styles.screen}>
      <header className={styles.bar}>
        <h1 className={styles.title}>{title}</h1>
        {note !== undefined && <span className={styles.note}>{note}</span>}
        <ZoneNote />
        <div className={styles.tools}>{tools}</div>
      </header>
      {children}
    </main>
  )
}

/** A screen's content that scrolls as a whole. */
export function Scroll({ children }: { children: ReactNode }) {
  return <div className={styles.scroll}>{children}</div>
}
