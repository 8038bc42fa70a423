import type { ReactNode } from 'react'
import { Logo } from '../../../src/ui/Logo.tsx'
import { changeLanguage, currentLanguage, useTexts } from '../../i18n.ts'
import styles from './Entrance.module.css'

type EntranceProps = {
  title: string
  /** Without it the children have forms of their own. */
  onSubmit?: () => void
  children: ReactNode
}

/** The frame of what is shown before the office. */
export function Entrance({ title, onSubmit, children }: EntranceProps) {
  const t = useTexts()
  const content = (
    <>
      <p className={styles.brand}>
        <Logo size={20} /> {t('nav.brand')}
      </p>
      <h1>{title}</h1>
      {children}
    </>
  )
  return (
    <main className={styles.page}>
      {onSubmit === undefined ? (
        <div className={styles.card}>{content}</div>
      ) : (
        <form
          className={styles.card}
          onSubmit={(event) => {
            event.preventDefault()
            onSubmit()
          }}
        >
          {content}
        </form>
      )}
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
