import { useMemo } from 'react'
import { navigate } from '../../../src/router/hashLocation.ts'
import { Button } from '../../../src/ui/Button.tsx'
import { useCountryName } from '../../data/useCountryName.ts'
import { useTexts, type Texts } from '../../i18n.ts'
import { useCommands } from '../../keys/useCommands.ts'
import type { QueueName } from '../../../contract/office/queues.ts'
import type { ScreenProps } from '../../screenProps.ts'
import { useChosen } from '../../state/place.ts'
import { useSession } from '../../state/staff.ts'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Screen } from '../../ui/Screen.tsx'
import { SplitView } from '../../ui/SplitView.tsx'
import { queueColumns } from './queueColumns.tsx'
import { everything, isFiltered, wantedOf } from './wanted.ts'
import { QueueTools } from './QueueTools.tsx'
import { RequestDetail } from './RequestDetail.tsx'
import { useClaims } from './useClaims.ts'
import { useMethodName } from './useMethodName.ts'
import { useQueue } from './useQueue.ts'

/** What waits in one queue, members in turn, and the open request beside it. */
export function QueueScreen({ name, id }: ScreenProps) {
  const queue = name as QueueName
  const t = useTexts()
  const country = useCountryName()
  const methodName = useMethodName()
  const me = useSession().staff.name
  const [typed, setTyped] = useChosen(everything, id)
  const wanted = wantedOf(typed)
  const { worksHere, list } = useQueue(queue, wanted)
  const open = (item: { id: string } | null): void =>
    navigate(item === null ? `/${queue}` : `/${queue}/${item.id}`)
  const claims = useClaims({ queue, id, listed: list.items, wanted, open })
  const { next, decided, leave, isTaking, failure } = claims
  const { total } = list.first ?? {}
  useCommands([
    worksHere && { label: 'keys.next', keys: 'n', group: 'request', run: next },
    id !== null && { label: 'keys.leave', keys: 'Escape', group: 'request', run: leave },
  ])
  const isBeside = id !== null
  // The same as long as nothing of them changes, so that rows that are the same are not drawn again.
  const columns = useMemo(
    () => queueColumns({ t, me, queue, country, methodName, isBeside }),
    [t, me, queue, country, methodName, isBeside],
  )
  const table = (
    <>
      <FailureLine failure={failure} />
      <ListTable
        label={t(`queue.${queue}.title`)}
        columns={columns}
        list={list}
        rowId={(item) => item.id}
        openId={id}
        onOpen={open}
        empty={t(isFiltered(typed) ? 'queue.noneOfThese' : 'queue.empty')}
      />
    </>
  )
  return (
    <Screen
      title={t(`queue.${queue}.title`)}
      {...(list.isRead && { note: countText(t, list.items.length, total) })}
      tools={
        worksHere && (
          <>
            <QueueTools queue={queue} typed={typed} onTyped={setTyped} />
            <Button variant="secondary" size="small" busy={isTaking} onClick={next}>
              {t('keys.next')}
            </Button>
          </>
        )
      }
    >
      <SplitView
        list={worksHere ? table : null}
        detail={
          id === null ? null : (
            <RequestDetail
              key={`${queue} ${id}`}
              queue={queue}
              id={id}
              onDecided={worksHere ? decided : () => undefined}
              onClose={leave}
            />
          )
        }
      />
    </Screen>
  )
}

/** How many are in the list, and of how many that the venue has. */
const countText = (t: Texts, listed: number, total = listed): string =>
  listed < total ? t('queue.noteOf', { listed, total }) : t('queue.note', { count: total })
