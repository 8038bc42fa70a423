import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageCategories, resultGroupKey, type MessageCategory } from '../../../contract/content.ts'
import type { Message, Messages as MessageStream } from '../../../streams/index.ts'
import { failedText } from '../../api/failureText.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useCatalog } from '../../hooks/useCatalog.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useMedia, wideMedia } from '../../hooks/useMedia.ts'
import { useMinute } from '../../hooks/useMinute.ts'
import { loadableOf, useListState } from '../../hooks/useListState.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { useUnread } from '../../hooks/useUnread.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { useQuery } from '../../router/useQuery.ts'
import { paths } from '../../paths.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import { MoreButton } from '../../features/lists/MoreButton.tsx'
import { Page } from '../../shell/Page.tsx'
import { useLiveOrOffline } from '../../shell/useLiveOrOffline.ts'
import { offlineStore } from '../../state/memberStores.ts'
import { Button, EmptyState, IconButton, Skeleton, TextLink, toast } from '../../ui/index.ts'
import { KindFilter } from './KindFilter.tsx'
import { MessageRow } from './MessageRow.tsx'
import { MuteSheet } from './MuteSheet.tsx'
import { ResultHour } from './ResultHour.tsx'
import styles from './Messages.module.css'
import { Loaded } from '../../shell/Loaded.tsx'

/** The venue's messages to the member, newest first, updated live: of one kind or all, as the address says. */
export function Messages() {
  const { t } = useTranslation()
  const format = useFormat()
  const [query, setQuery] = useQuery()
  const [isMuting, setMuting] = useState(false)
  const kind = kindOf(query)
  const { messages, messagesOf } = useStreams()
  const stream = useMemo(
    () => (kind === undefined ? messages : messagesOf(kind)),
    [kind, messages, messagesOf],
  )
  const { messages: unread } = useUnread()
  const [readAll] = useAction(async () => {
    const failure = await messages.read({ all: true })
    if (failure) toast({ text: failedText(t, format, t('message.readFailed'), failure), kind: 'problem' })
  })
  return (
    <Page
      ground="market"
      receives="events"
      refresh="bar"
      title={t('title.messages')}
      backTo={paths.home}
      actions={
        <>
          {unread > 0 && <ReadAllButton onClick={readAll} />}
          <IconButton icon="bell-ringing" label={t('title.alerts')} href={hrefTo(paths.alerts)} />
          <IconButton icon="sliders-horizontal" label={t('message.mutes')} onClick={() => setMuting(true)} />
        </>
      }
    >
      <KindFilter kind={kind} onKind={(next) => setQuery({ kind: next })} />
      <MessagesOfKind key={kind} kind={kind} stream={stream} onAll={() => setQuery({ kind: undefined })} />
      <MuteSheet open={isMuting} onClose={() => setMuting(false)} />
    </Page>
  )
}

/** The kind of messages in the address; undefined for all. */
const kindOf = (query: URLSearchParams): MessageCategory | undefined =>
  messageCategories.find((category) => category === query.get('kind'))

type OfKindProps = { kind: MessageCategory | undefined; stream: MessageStream; onAll: () => void }

function MessagesOfKind({ kind, stream, onAll }: OfKindProps) {
  const { t } = useTranslation()
  const { refresh } = useStreams()
  const list = useListState(stream)
  const loadable = useLiveOrOffline(
    useMemo(() => loadableOf(list), [list]),
    useCallback(() => offlineMessages(kind), [kind]),
  )
  return (
    <Loaded of={loadable} failed={t('message.failed')} retry={refresh} skeleton={<MessagesSkeleton />}>
      {({ items, nextCursor }) =>
        items.length === 0 ? (
          kind === undefined ? (
            <NoMessages />
          ) : (
            <NoneOfKind onAll={onAll} />
          )
        ) : (
          <>
            <MessageList items={items} stream={stream} />
            {nextCursor !== null && (
              <MoreButton
                onMore={list.failure ? stream.retry : stream.more}
                busy={list.loading}
                failed={list.failure && t('content.moreFailed')}
              />
            )}
          </>
        )
      }
    </Loaded>
  )
}

/** What the device has of a kind. */
async function offlineMessages(kind: MessageCategory | undefined): ReturnType<typeof offlineStore.messages> {
  const copy = await offlineStore.messages()
  if (copy === undefined || kind === undefined) return copy
  return { ...copy, value: { ...copy.value, items: copy.value.items.filter((one) => one.category === kind) } }
}

/** A text link; on a phone an icon, because in several languages the text takes the title's place. */
function ReadAllButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation()
  const label = t('message.readAll')
  if (!useMedia(wideMedia)) return <IconButton icon="check" label={label} onClick={onClick} />
  return <TextLink onClick={onClick}>{label}</TextLink>
}

function MessageList({ items, stream }: { items: readonly Message[]; stream: MessageStream }) {
  const now = useMinute()
  const currency = useVenueConfig()?.currency ?? ''
  const products = useCatalog()
  const codeOf = (id: string): string => products?.find((product) => product.id === id)?.code ?? id
  const context = { codeOf, currency }
  const read = (id: string): void => void stream.read({ ids: [id] })
  return (
    <>
      <p className={styles.practice}>
        <PracticeBadge />
      </p>
      <ul>
        {items.map((message) => (
          <li key={message.id} className={styles.item}>
            {message.key === resultGroupKey ? (
              <ResultHour message={message} context={context} now={now} />
            ) : (
              <MessageRow message={message} context={context} now={now} onRead={read} />
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

function NoMessages() {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="envelope-simple"
      title={t('message.none')}
      action={
        <Button variant="secondary" href={hrefTo(paths.products)}>
          {t('message.seeProducts')}
        </Button>
      }
    >
      {t('message.noneText')}
    </EmptyState>
  )
}

function NoneOfKind({ onAll }: { onAll: () => void }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="envelope-simple"
      title={t('message.noneOfKind')}
      action={
        <Button variant="secondary" onClick={onAll}>
          {t('message.showAll')}
        </Button>
      }
    >
      {t('message.noneOfKindText')}
    </EmptyState>
  )
}

function MessagesSkeleton() {
  const { t } = useTranslation()
  return (
    <output className={styles.skeleton} aria-label={t('content.loading')}>
      {Array.from({ length: 6 }, (_, row) => (
        <span key={row} className={styles.blank}>
          <Skeleton width={22} height={22} />
          <span className={styles.lines}>
            <Skeleton line={15} width="55%" />
            <Skeleton line={13} width="85%" />
            <Skeleton line={12} width={56} />
          </span>
        </span>
      ))}
    </output>
  )
}
