import { useTranslation } from 'react-i18next'
import type { Loadable } from '../../../streams/index.ts'
import { failureText } from '../../api/failureText.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { Card, ErrorState, Skeleton } from '../../ui/index.ts'
import styles from './PendingCard.module.css'

export type PendingCardProps = {
  loadable: Loadable<unknown>
  failedTitle: string
  onRetry: () => void
}

/** Shown until there is a value: that it loads, or why it did not. */
export function PendingCard({ loadable, failedTitle, onRetry }: PendingCardProps) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Card>
      {loadable.state === 'failed' ? (
        <ErrorState title={failedTitle} retryLabel={t('common.retry')} onRetry={onRetry}>
          {failureText(t, format, loadable.failure)}
        </ErrorState>
      ) : (
        <div className={styles.loading}>
          <Skeleton line={15} width={160} />
          <Skeleton line={12} width={220} />
        </div>
      )}
    </Card>
  )
}
