import type { ReactNode } from 'react'
import { IconButton } from '../../src/ui/IconButton.tsx'
import { useTexts } from '../i18n.ts'
import { ZoneNote } from './ZoneNote.tsx'
import styles from './Screen.module.css'

type ScreenProps = {
  title: ReactNode
  /** Leads back to where one came from. */
  onBack?: () => void
  /** Beside the title: a count or a state. */
  note?: ReactNode
  /** At the right of the title bar: filters and actions. */
  tools?: ReactNode
  children: ReactNode
}

/** The frame of a screen: one title bar, and below it what scrolls by itself. */
export function Screen({ title, onBack, note, tools, children }: ScreenProps) {
  const t = useTexts()
  return (
    <main className={styles.screen}>
      <header className={styles.bar}>
        {onBack !== undefined && (
          <IconButton tip icon="caret-left" size={18} label={t('keys.back')} onClick={onBack} />
        )}
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
