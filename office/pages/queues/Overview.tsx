import { navigate } from '../../../src/router/hashLocation.ts'
import { useQueueCounts, type QueueCount } from '../../data/useQueueCounts.ts'
import { useTexts, type Texts } from '../../i18n.ts'
import { Age } from '../../ui/Age.tsx'
import { DataTable, type Column } from '../../ui/DataTable.tsx'
import { Screen } from '../../ui/Screen.tsx'

/** The queues of the role: how much waits in each, since when, and who has claimed how much of it. */
export function Overview() {
  const t = useTexts()
  return (
    <Screen title={t('nav.overview')}>
      <DataTable
        label={t('nav.overview')}
        columns={columnsOf(t)}
        rows={useQueueCounts()}
        rowId={({ queue }) => queue}
        onOpen={({ queue }) => navigate(`/${queue}`)}
        empty={t('list.loading')}
      />
    </Screen>
  )
}

const columnsOf = (t: Texts): Column<QueueCount>[] => [
  { key: 'queue', head: t('overview.queue'), cell: ({ queue }) => t(`queue.${queue}.title`) },
  { key: 'waiting', head: t('overview.waiting'), cell: ({ waiting }) => waiting, figure: true },
  {
    key: 'oldest',
    head: t('overview.oldest'),
    cell: ({ oldestAt }) => oldestAt !== null && <Age since={oldestAt} />,
  },
  {
    key: 'claims',
    head: t('overview.claims'),
    cell: ({ holders }) => holders.map(({ by, claimed }) => `${by} ${claimed}`).join(', '),
  },
]
