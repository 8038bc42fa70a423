import { useState } from 'react'
import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import { navigate, parseHash } from '../../../src/router/hashLocation.ts'
import { Button } from '../../../src/ui/Button.tsx'
import { toast } from '../../../src/ui/toastStore.ts'
import { call } from '../../api.ts'
import { useDeskList } from '../../data/useDesk.ts'
import { useVenueNow } from '../../data/venueClock.ts'
import { useRun } from '../../data/useRun.ts'
import { useTexts } from '../../i18n.ts'
import { useCommands } from '../../keys/useCommands.ts'
import type { QueueName } from '../../../contract/backOffice/queues.ts'
import type { ScreenProps } from '../../screens.ts'
import { useMay, useSession } from '../../state/staff.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { Choice } from '../../ui/Control.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { Screen } from '../../ui/Screen.tsx'
import { SplitView } from '../../ui/SplitView.tsx'
import { queueColumns } from './queueColumns.tsx'
import { RequestDetail } from './RequestDetail.tsx'

const { queues } = backOfficeRoutes
export type QueueItem = RouteAnswer<typeof backOfficeRoutes.queues.show>['items'][number]

const everyMs = 5000
const shownOf = ['all', 'free', 'mine'] as const
type Shown = (typeof shownOf)[number]

/** What waits in one queue, oldest first, and the open request beside it. */
export function QueueScreen({ name, id }: ScreenProps) {
  const queue = name as QueueName
  const t = useTexts()
  const now = useVenueNow()
  const me = useSession().staff.name
  const [shown, setShown] = useState<Shown>('all')
  const list = useDeskList(queues.show, { params: { id: queue } }, { everyMs })
  const open = (item: { id: string } | null): void =>
    navigate(item === null ? `/${queue}` : `/${queue}/${item.id}`)
  const { next, isTaking, failure } = useNext(queue, open)
  const rows = list.items.filter(({ claim }) =>
    shown === 'all' ? true : shown === 'free' ? claim === null : claim?.by === me,
  )
  useCommands([
    { label: 'keys.next', keys: 'n', group: 'request', run: next },
    id !== null && { label: 'keys.leave', keys: 'Escape', group: 'request', run: () => open(null) },
  ])
  const table = (
    <>
      <FailureLine failure={failure ?? list.failure} />
      <DataTable
        label={t(`queue.${queue}.title`)}
        columns={queueColumns({ t, now, me, queue })}
        rows={rows}
        rowId={(item) => item.id}
        openId={id}
        onOpen={open}
        empty={list.isLoading ? t('list.loading') : t('queue.empty')}
        more={list.hasMore ? { label: t('list.more'), busy: list.isLoadingMore, load: list.more } : undefined}
      />
    </>
  )
  return (
    <Screen
      title={t(`queue.${queue}.title`)}
      note={t('queue.note', { count: list.items.length })}
      tools={
        <>
          <Choice
            label={t('queue.shown')}
            value={shown}
            options={shownOf.map((value) => ({ value, label: t(`queue.show.${value}`) }))}
            onValue={(value) => setShown(value as Shown)}
          />
          <Button variant="secondary" size="small" busy={isTaking} onClick={next}>
            {t('keys.next')}
          </Button>
        </>
      }
    >
      <SplitView
        list={table}
        detail={
          id === null ? null : (
            <RequestDetail
              key={`${queue} ${id}`}
              queue={queue}
              id={id}
              onDecided={next}
              onClose={() => open(null)}
            />
          )
        }
      />
    </Screen>
  )
}

/** Claims the oldest request that nobody holds, and opens it. */
function useNext(queue: QueueName, open: (item: { id: string } | null) => void) {
  const t = useTexts()
  const may = useMay()
  const { run, busy, failure } = useRun(
    () => call(queues.next, { params: { id: queue } }),
    ({ item }) => {
      // Who has gone to another screen meanwhile is not brought back, and does not keep the item.
      if (parseHash(location.hash).path.split('/')[1] !== queue) {
        if (item !== null) void call(queues.release, { params: { id: queue }, body: { item: item.id } })
        return
      }
      open(item)
      if (item === null) toast({ text: t('queue.done') })
    },
  )
  return {
    next: () => (may('queues.next') ? run() : open(null)),
    isTaking: busy,
    failure,
  }
}
