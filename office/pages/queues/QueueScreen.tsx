import { useState } from 'react'
import { navigate } from '../../../src/router/hashLocation.ts'
import { Button } from '../../../src/ui/Button.tsx'
import { Pill } from '../../../src/ui/Pill.tsx'
import { useTexts, type Texts } from '../../i18n.ts'
import { Keys } from '../../keys/Keys.tsx'
import { useCommands } from '../../keys/useCommands.ts'
import type { QueueName } from '../../../contract/office/queues.ts'
import type { ScreenProps } from '../../screenProps.ts'
import { useChosen } from '../../state/place.ts'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { Screen } from '../../ui/Screen.tsx'
import { SplitView } from '../../ui/SplitView.tsx'
import { DecidedTable, useDecided } from './DecidedTable.tsx'
import { everything, isFiltered, wantedOf } from './wanted.ts'
import { QueueTools } from './QueueTools.tsx'
import { RequestDetail } from './RequestDetail.tsx'
import { useClaims } from './useClaims.ts'
import { useQueue } from './useQueue.ts'
import { WaitingTable } from './WaitingTable.tsx'

/** What waits in one queue, members in turn, or what the user has decided of it today; and the open request beside it. */
export function QueueScreen({ name, id }: ScreenProps) {
  const queue = name as QueueName
  const t = useTexts()
  const [typed, setTyped] = useChosen(everything, id)
  const [showsDecided, setShowsDecided] = useState(false)
  const wanted = wantedOf(typed)
  const { worksHere, list } = useQueue(queue, wanted)
  const decidedList = useDecided(queue, worksHere)
  const open = (item: { id: string } | null): void =>
    navigate(item === null ? `/${queue}` : `/${queue}/${item.id}`)
  const claims = useClaims({ queue, id, listed: list.items, wanted, open })
  const { next, decided, leave, setAside, isTaking, failure } = claims
  useCommands([
    worksHere && { label: 'keys.next', keys: 'n', group: 'request', run: next },
    id !== null && { label: 'keys.leave', keys: 'Escape', group: 'request', run: leave },
    setAside !== undefined && { label: 'claim.aside', keys: 's', group: 'request', run: setAside },
  ])
  const shown = showsDecided ? decidedList : list
  const tools = (
    <>
      {!showsDecided && <QueueTools queue={queue} typed={typed} onTyped={setTyped} mayClear={id === null} />}
      <Pill selected={showsDecided} onClick={() => setShowsDecided(!showsDecided)}>
        {t('queue.decidedCount', { total: decidedList.first?.total ?? 0 })}
      </Pill>
      <Button variant="secondary" size="small" busy={isTaking} onClick={next}>
        {t('keys.next')} <Keys keys="n" />
      </Button>
    </>
  )
  const table = (
    <>
      <FailureLine failure={failure} />
      {showsDecided ? (
        <DecidedTable queue={queue} list={decidedList} openId={id} />
      ) : (
        <WaitingTable
          queue={queue}
          list={list}
          openId={id}
          asides={claims.asides}
          onOpen={open}
          isFiltered={isFiltered(typed)}
        />
      )}
    </>
  )
  return (
    <Screen
      title={t(`queue.${queue}.title`)}
      {...(shown.isRead && { note: countText(t, shown.items.length, shown.first?.total) })}
      tools={worksHere && tools}
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
              onSetAside={setAside}
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
