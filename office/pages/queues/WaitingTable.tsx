import { useMemo } from 'react'
import type { QueueName } from '../../../contract/office/queues.ts'
import { useCountryName } from '../../data/useCountryName.ts'
import { useOfficeFormat } from '../../data/useOfficeFormat.ts'
import { useTexts } from '../../i18n.ts'
import { useSession } from '../../state/staff.ts'
import { ListTable } from '../../ui/ListTable.tsx'
import { queueColumns, type QueueItem } from './queueColumns.tsx'
import { useMethodName } from './useMethodName.ts'
import type { useQueue } from './useQueue.ts'

type WaitingTableProps = {
  queue: QueueName
  list: ReturnType<typeof useQueue>['list']
  openId: string | null
  /** Ids of those that the user has set aside. */
  asides: readonly string[]
  onOpen: (item: QueueItem) => void
  isFiltered: boolean
}

/** What waits in a queue. */
export function WaitingTable({ queue, list, openId, asides, onOpen, isFiltered }: WaitingTableProps) {
  const t = useTexts()
  const country = useCountryName()
  const methodName = useMethodName()
  const me = useSession().staff.name
  const format = useOfficeFormat()
  const isBeside = openId !== null
  // The same as long as nothing of them changes, so that rows that are the same are not drawn again.
  const columns = useMemo(
    () => queueColumns({ t, me, queue, asides, country, methodName, format, isBeside }),
    [t, me, queue, asides, country, methodName, format, isBeside],
  )
  return (
    <ListTable
      label={t(`queue.${queue}.title`)}
      columns={columns}
      list={list}
      rowId={(item) => item.id}
      openId={openId}
      onOpen={onOpen}
      empty={t(isFiltered ? 'queue.noneOfThese' : 'queue.empty')}
    />
  )
}
