import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../streams/index.ts'
import { failureText } from '../../api/failureText.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { Button, Card, ErrorState, Skeleton } from '../../ui/index.ts'
import styles from './PagedCard.module.css'

export type PagedCardProps = {
  /** How many there are so far. */
  count: number
  cursor: string | null | undefined
  loading: boolean
  failure: Failure | undefined
  onMore: () => void
  onRetry: () => void
  /** What stands there where there is nothing. */
  empty: ReactNode
  children: ReactNode
}

/** A list on cards in each of its states: on its way, failed, empty, with more to come. */
export function PagedCard(props: PagedCardProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { count, cursor, loading, failure } = props
  if (count === 0) {
    if (failure !== undefined) {
      return (
        <Card>
          <ErrorState
            title={t('fund.listFailed')}
            retryLabel={t('common.retry')}
            onRetry={props.onRetry}
            busy={loading}
          >
            {failureText(t, format, failure)}
          </ErrorState>
        </Card>
      )
    }
    return <Card>{loading ? <Rows /> : props.empty}</Card>
  }
  return (
    <>
      {props.children}
      {(typeof cursor === 'string' || failure !== undefined) && (
        <div className={styles.more}>
          <Button
            variant="secondary"
            size="small"
            busy={loading}
            onClick={failure === undefined ? props.onMore : props.onRetry}
          >
            {failure === undefined ? t('fund.loadMore') : t('common.retry')}
          </Button>
          {failure !== undefined && <p className={styles.failed}>{failureText(t, format, failure)}</p>}
        </div>
      )}
    </>
  )
}

const skeletonRows = [0, 1, 2, 3]

function Rows() {
  const { t } = useTranslation()
  return (
    <output aria-label={t('fund.loading')}>
      {skeletonRows.map((row) => (
        <span key={row} className={styles.skeleton}>
          <span>
            <Skeleton line={15} width={96} />
            <Skeleton line={12} width={140} />
          </span>
          <Skeleton line={15} width={72} />
        </span>
      ))}
    </output>
  )
}
