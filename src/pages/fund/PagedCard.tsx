import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failureText.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import type { List } from '../../hooks/useList.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { Button, Card, cx, EmptyState, Skeleton } from '../../ui/index.ts'
import styles from './PagedCard.module.css'
import { Loaded } from '../../shell/Loaded.tsx'
import { itemsOf } from '../../hooks/useListState.ts'

export type PagedCardProps = {
  pages: PagedState
  /** Shown if the list is empty, with a link to transfer in. */
  empty: { title: string; text: string }
  /** Whether the list begins with a day heading. */
  headed?: boolean
  children: ReactNode
}

type PagedState = Pick<List<{ id: string }>, 'items' | 'cursor' | 'loading' | 'failure' | 'more' | 'retry'>

/** A list on cards in each of its states: loading, failed, empty, with more to load. */
export function PagedCard({ pages, empty, headed = false, children }: PagedCardProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { items, cursor, loading, failure, more, retry } = pages
  if (items.length === 0) {
    return (
      <Card>
        <Loaded
          of={itemsOf(pages)}
          failed={t('fund.listFailed')}
          retry={retry}
          busy={loading}
          skeleton={<Rows headed={headed} />}
          empty={<EmptyList {...empty} />}
        />
      </Card>
    )
  }
  return (
    <>
      {children}
      {(typeof cursor === 'string' || failure !== undefined) && (
        <div className={styles.more}>
          <Button
            variant="secondary"
            size="small"
            busy={loading}
            onClick={failure === undefined ? more : retry}
          >
            {failure === undefined ? t('fund.loadMore') : t('common.retry')}
          </Button>
          {failure !== undefined && <p className={styles.failed}>{failureText(t, format, failure)}</p>}
        </div>
      )}
    </>
  )
}

function EmptyList({ title, text }: PagedCardProps['empty']) {
  const { t } = useTranslation()
  return (
    <EmptyState
      title={title}
      action={
        <Button variant="secondary" href={hrefTo(paths.transfer, { direction: 'in' })}>
          {t('fund.transferIn')}
        </Button>
      }
    >
      {text}
    </EmptyState>
  )
}

const skeletonRows = [0, 1, 2, 3]

function Rows({ headed }: { headed: boolean }) {
  const { t } = useTranslation()
  return (
    <output className={cx(styles.rows, headed && styles.headed)} aria-label={t('fund.loading')}>
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
