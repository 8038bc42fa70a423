import type { ReactNode } from 'react'
import type { useOfficeList } from '../data/useOfficeCall.ts'
import { useTexts } from '../i18n.ts'
import { DataTable, type DataTableProps } from './DataTable.tsx'
import { FailureLine } from './FailureLine.tsx'

type Read = ReturnType<typeof useOfficeList>
/** One that comes whole has no more to load. */
type List<T> = Pick<Read, 'failure' | 'isLoading'> &
  Partial<Pick<Read, 'hasMore' | 'isLoadingMore' | 'more'>> & { items: readonly T[] }

const ignore = (): void => undefined

type ListTableProps<T> = Omit<DataTableProps<T>, 'rows' | 'more' | 'empty'> & {
  list: List<T>
  empty?: ReactNode
}

/** A list of the venue as a table, with its states: loading, failed, empty, and more to load. */
export function ListTable<T>({ list, empty, ...table }: ListTableProps<T>) {
  const t = useTexts()
  const { items, failure, isLoading, hasMore = false, isLoadingMore = false, more = ignore } = list
  return (
    <>
      <FailureLine failure={failure} />
      <DataTable
        {...table}
        rows={items}
        empty={isLoading ? t('list.loading') : failure === undefined ? (empty ?? t('list.empty')) : null}
        more={hasMore ? { label: t('list.more'), busy: isLoadingMore, load: more } : undefined}
      />
    </>
  )
}
