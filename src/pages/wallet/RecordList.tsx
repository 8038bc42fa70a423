import type { Key, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { businessDay } from '../../../contract/time.ts'
import { failureText } from '../../api/failureText.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useVenueZone } from '../../hooks/useVenue.ts'
import { ErrorState, Skeleton } from '../../ui/index.ts'
import { LoadMore } from '../../features/lists/LoadMore.tsx'
import { useToday } from '../../hooks/useDays.ts'
import { RecordDays } from '../../features/lists/RecordDays.tsx'
import styles from './RecordList.module.css'
import type { List } from '../../hooks/useList.ts'

export type RecordListProps<T extends { id: Key }> = {
  list: List<T>
  at: (item: T) => number
  renderRow: (item: T) => ReactNode
  /** Shown if the list is empty. */
  empty: ReactNode
  failedTitle: string
}

/** A list of the member's records grouped by day, in each of its states. */
export function RecordList<T extends { id: string }>(props: RecordListProps<T>) {
  const { list, at, renderRow, empty, failedTitle } = props
  const { t } = useTranslation()
  const format = useFormat()
  const zone = useVenueZone()
  const today = useToday()
  const { items, cursor, loading, failure, more, retry } = list
  if (items.length === 0) {
    if (failure !== undefined) {
      return (
        <ErrorState title={failedTitle} retryLabel={t('common.retry')} onRetry={retry} busy={loading}>
          {failureText(t, format, failure)}
        </ErrorState>
      )
    }
    return loading ? <RecordListSkeleton /> : empty
  }
  return (
    <div className={styles.list}>
      <RecordDays
        items={items}
        dayOf={(item) => businessDay(at(item), zone)}
        headOf={(day, first) => (day === today ? t('orders.today') : format.dayHead(at(first)))}
        renderRow={renderRow}
      />
      {typeof cursor === 'string' && <LoadMore onMore={more} busy={loading} failed={failure !== undefined} />}
    </div>
  )
}

const skeletonRows = 6

function RecordListSkeleton() {
  const { t } = useTranslation()
  return (
    <output className={styles.waiting} aria-label={t('common.loading')}>
      {Array.from({ length: skeletonRows }, (_, index) => (
        <span key={index} className={styles.skeleton}>
          <span className={styles.skeletonText}>
            <Skeleton line={15} width={136} />
            <Skeleton line={12} width={88} />
          </span>
          <span className={styles.skeletonEnd}>
            <Skeleton line={15} width={80} />
            <Skeleton line={12} width={64} />
          </span>
        </span>
      ))}
    </output>
  )
}
