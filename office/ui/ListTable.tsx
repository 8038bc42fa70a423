import type { ReactNode } from 'react'
import type { useDeskList } from '../data/useDesk.ts'
import { useTexts } from '../i18n.ts'
import { DataTable } from './DataTable.tsx'
import type { DataTableProps } from './DataTable.tsx'
import { FailureLine } from './FailureLine.tsx'

type List<T> = Pick<
  ReturnType<typeof useDeskList>,
  'failure' | 'isLoading' | 'hasMore' | 'isLoadingMore' | 'more'
> & { items: T[] }

type ListTableProps<T> = Omit<DataTableProps<T>, 'rows' | 'more' | 'empty'> & {
  list: List<T>
  empty?: ReactNode
}

/** A list of the venue as a table, with its states: loading, failed, empty, and more to load. */
export function ListTable<T>({ list, empty, ...table }: ListTableProps<T>) {
  const t = useTexts()
  const { items, failure, isLoading, hasMore, isLoadingMore, more } = list
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
