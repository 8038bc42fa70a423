import { useTranslation } from 'react-i18next'
import type { StatusReport } from '../../../contract/status.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { Section } from '../../ui/index.ts'
import styles from './Status.module.css'

/** How many accounts are frozen now, by reason: the one way in which customer service can stop a withdrawal. */
export function FrozenAccounts({ counts }: { counts: StatusReport['frozen'] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { theft_reported: theft, death, order_of_authority: order } = counts
  const count = (n: number): string => format.decimal(String(n))
  const text =
    theft + death + order === 0
      ? t('status.frozenNone')
      : t('status.frozenCounts', { theft: count(theft), death: count(death), order: count(order) })
  return (
    <div className={styles.log}>
      <Section title={t('status.frozen')}>
        <p className={styles.text}>{text}</p>
      </Section>
    </div>
  )
}
