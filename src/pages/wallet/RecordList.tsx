import { useMemo, type Key, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { businessDay } from '../../../contract/time.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useVenueZone } from '../../hooks/useVenue.ts'
import { Skeleton } from '../../ui/index.ts'
import { LoadMore } from '../../features/lists/LoadMore.tsx'
import { useToday } from '../../hooks/useDays.ts'
import { RecordDays } from '../../features/lists/RecordDays.tsx'
import { RecordHeads, type RecordColumn } from '../../features/lists/RecordRow.tsx'
import { SortedNote } from '../../features/lists/SortedNote.tsx'
import { useSorting, type SortColumn } from '../../features/lists/sorting.ts'
import styles from './RecordList.module.css'
import type { List } from '../../hooks/useList.ts'
import { Loaded } from '../../shell/Loaded.tsx'
import { itemsOf } from '../../hooks/useListState.ts'

export type RecordListProps<T extends { id: Key }> = {
  list: List<T>
  at: (item: T) => number
  /** `dated` if the list is not by day: the time has its day. */
  renderRow: (item: T, dated: boolean) => ReactNode
  /** The columns that rows have in a wide list; must be stable. */
  columns: RecordColumns<T>
  /** Shown if the list is empty. */
  empty: ReactNode
  failedTitle: string
}

/** The columns of a list of records: their heads, and how those are compared by which it can be sorted. */
export type RecordColumns<T> = Readonly<
  Partial<Record<RecordColumn, { label: string; sort?: SortColumn<T> }>>
>

/** A list of the member's records grouped by day, in each of its states. */
export function RecordList<T extends { id: string }>(props: RecordListProps<T>) {
  const { list, at, renderRow, columns, empty, failedTitle } = props
  const { cursor, loading, failure, more, retry } = list
  return (
    <Loaded
      of={itemsOf(list)}
      failed={failedTitle}
      retry={retry}
      busy={loading}
      skeleton={<RecordListSkeleton />}
      empty={empty}
    >
      {(items) => (
        <div className={styles.list}>
          <Records {...{ items, at, renderRow, columns }} isPartial={typeof cursor === 'string'} />
          {typeof cursor === 'string' && (
            <LoadMore onMore={more} busy={loading} failed={failure !== undefined} />
          )}
        </div>
      )}
    </Loaded>
  )
}

type RecordsProps<T extends { id: Key }> = Pick<RecordListProps<T>, 'at' | 'renderRow' | 'columns'> & {
  items: readonly T[]
  isPartial: boolean
}

function Records<T extends { id: string }>({ items, at, renderRow, columns, isPartial }: RecordsProps<T>) {
  const { t } = useTranslation()
  const format = useFormat()
  const zone = useVenueZone()
  const today = useToday()
  const parts = useMemo(() => partsOf(columns), [columns])
  const { shown, isByTime, ...sorting } = useSorting(items, parts.sortable)
  return (
    <>
      <div className={styles.heads}>
        <RecordHeads
          labels={parts.labels}
          sortable={(column) => column === 'time' || column in parts.sortable}
          head={sorting.head}
        />
      </div>
      <SortedNote {...sorting} isPartial={isPartial} />
      <RecordDays
        items={shown}
        dayOf={(item) => (isByTime ? businessDay(at(item), zone) : '')}
        headOf={(day, first) => (day === today ? t('orders.today') : format.dayHead(at(first)))}
        renderRow={(item) => renderRow(item, !isByTime)}
      />
    </>
  )
}

function partsOf<T>(columns: RecordColumns<T>) {
  const entries = Object.entries(columns)
  return {
    labels: Object.fromEntries(entries.map(([name, { label }]) => [name, label])),
    sortable: Object.fromEntries(
      entries.flatMap(([name, { sort }]) => (sort === undefined ? [] : [[name, sort] as const])),
    ),
  }
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
