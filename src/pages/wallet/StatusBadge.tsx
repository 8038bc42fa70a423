import { useTranslation } from 'react-i18next'
import type { ReviewStatus } from '../../../contract/wallet.ts'
import { Badge } from '../../ui/index.ts'
import styles from './StatusBadge.module.css'
import { cancelledReason, statusBadge } from './words.ts'

/** How a deposit or withdrawal stands; one that the member took back failed by nobody's refusal, and says so. */
export function StatusBadge({ status, reason }: { status: ReviewStatus; reason: string | null }) {
  const { t } = useTranslation()
  const cancelled = reason === cancelledReason
  return (
    <span className={styles.status}>
      <Badge kind={cancelled ? 'plain' : statusBadge[status]}>{t(`wallet.status.${status}`)}</Badge>
      {cancelled && <span className={styles.why}>{t('withdraw.cancelledByYou')}</span>}
    </span>
  )
}
