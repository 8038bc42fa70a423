import type { ReactNode } from 'react'
import { Logo } from '../../../src/ui/Logo.tsx'
import { changeLanguage, currentLanguage, useTexts } from '../../i18n.ts'
import styles from './Entrance.module.css'

type EntranceProps = { title: string; onSubmit: () => void; children: ReactNode }

/** The frame of what is shown before the log-in. */
export function Entrance({ title, onSubmit, children }: EntranceProps) {
  const t = useTexts()
  return (
    <main className={styles.page}>
      <form
        className={styles.card}
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        <p className={styles.brand}>
          <Logo size={20} /> {t('nav.brand')}
        </p>
        <h1>{title}</h1>
        {children}
      </form>
      <button
        type="button"
        className={styles.language}
        onClick={() => void changeLanguage(currentLanguage() === 'en' ? 'zh-CN' : 'en')}
      >
        {t('account.otherLanguage')}
      </button>
    </main>
  )
}
