import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './ProofSection.module.css'

export type ProofSectionProps = {
  /** The state of the check, beside the heading. */
  stamp?: ReactNode
  busy?: boolean
  children: ReactNode
}

/** The proof's section of an order's page. */
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
