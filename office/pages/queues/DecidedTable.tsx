import { useMemo } from 'react'
import type { DecidedItem, QueueName } from '../../../contract/office/queues.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { navigate } from '../../../src/router/hashLocation.ts'
import { useOfficeList } from '../../data/useOfficeCall.ts'
import { useTexts, type Texts } from '../../i18n.ts'
import type { Column } from '../../ui/DataTable.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Money } from '../../ui/Money.tsx'
import { TimeOfDay } from '../../ui/When.tsx'
import { useActLogWord } from '../../ui/useActLogWord.ts'
import { proposalSubjectPath } from './proposalSubject.ts'
import { withAmount } from './wanted.ts'

/** What the user has decided of a queue today; each act asks for it again. */
export const useDecided = (queue: QueueName, enabled: boolean) =>
  useOfficeList(officeRoutes.queues.decided, { params: { id: queue } }, { enabled })

/** About one member, two different acts may have been decided. */
const rowId = ({ subject, act, at }: DecidedItem): string => `${subject.id} ${act} ${at}`

function decidedColumns(
  t: Texts,
  word: ReturnType<typeof useActLogWord>,
  queue: QueueName,
): Column<DecidedItem>[] {
  const amount: Column<DecidedItem> = {
    key: 'amount',
    head: t('column.amount'),
    figure: true,
    cell: ({ amount: value }) => <Money value={value} />,
  }
  return [
    { key: 'at', head: t('audit.at'), whole: true, cell: ({ at }) => <TimeOfDay at={at} /> },
    { key: 'act', head: t('audit.filter.act'), whole: true, cell: ({ act }) => word('acts', act) },
    { key: 'account', head: t('column.account'), whole: true, cell: ({ account }) => account ?? '' },
    ...(withAmount.has(queue) ? [amount] : []),
    { key: 'no', head: t('column.no'), minor: true, cell: ({ no }) => no ?? '' },
  ]
}

type DecidedTableProps = {
  queue: QueueName
  list: ReturnType<typeof useDecided>
  openId: string | null
}

/** What the user has decided of a queue since midnight in the venue's zone, newest first. */
export function DecidedTable({ queue, list, openId }: DecidedTableProps) {
  const t = useTexts()
  const word = useActLogWord()
  const columns = useMemo(() => decidedColumns(t, word, queue), [t, word, queue])
  const open = ({ subject }: DecidedItem): void => {
    const path = queue === 'proposals' ? proposalSubjectPath(subject) : `/${queue}/${subject.id}`
    if (path !== undefined) navigate(path)
  }
  const shown = list.items.find(({ subject }) => subject.id === openId)
  return (
    <ListTable
      label={t('queue.decided')}
      columns={columns}
      list={list}
      rowId={rowId}
      openId={shown === undefined ? null : rowId(shown)}
      onOpen={open}
      empty={t('queue.noneDecided')}
    />
  )
}
