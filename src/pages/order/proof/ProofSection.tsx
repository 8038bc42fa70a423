import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './ProofSection.module.css'

export type ProofSectionProps = {
  /** How far the check has come, beside the head. */
  stamp?: ReactNode
  busy?: boolean
  children: ReactNode
}

/** The second half of an order's page, behind a band of its own. */
export function ProofSection({ stamp, busy = false, children }: ProofSectionProps) {
  const { t } = useTranslation()
  return (
    <section className={styles.proof} aria-busy={busy}>
      <div className={styles.head}>
        <h2>{t('proof.title')}</h2>
        {stamp}
      </div>
      {children}
    </section>
  )
}
