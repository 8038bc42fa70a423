import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListState, Message } from '../../../streams/index.ts'
import { failedText, failureText } from '../../api/failureText.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useCatalog } from '../../hooks/useCatalog.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useMedia, wideMedia } from '../../hooks/useMedia.ts'
import { useMinute } from '../../hooks/useMinute.ts'
import { loadableOf, useListState } from '../../hooks/useListState.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import { MoreButton } from '../../features/lists/MoreButton.tsx'
import { Page } from '../../shell/Page.tsx'
import { useLiveOrOffline } from '../../shell/useLiveOrOffline.ts'
import { offlineStore } from '../../state/memberStores.ts'
import { Button, EmptyState, ErrorState, IconButton, Skeleton, TextLink, toast } from '../../ui/index.ts'
import { MessageRow } from './MessageRow.tsx'
import styles from './Messages.module.css'

/** The venue's messages to the member, newest first, updated live. */
export function Messages() {
  const { t } = useTranslation()
  const format = useFormat()
  const { messages, refresh } = useStreams()
  const list = useListState(messages)
  const loadable = useMemo(() => loadableOf(list), [list])
  const { value: page, isReadingOffline } = useLiveOrOffline(loadable, offlineStore.messages)
  const unread = page?.items.some(({ read }) => !read) ?? false
  const [readAll] = useAction(async () => {
    const failure = await messages.read({ all: true })
    if (failure) toast({ text: failedText(t, format, t('message.readFailed'), failure), kind: 'problem' })
  })
  return (
    <Page
      ground="market"
      live="events"
      {...(page && { refresh: 'bar' })}
      title={t('title.messages')}
      backTo={paths.home}
      actions={unread && <ReadAllButton onClick={readAll} />}
    >
      {page ? (
        <MessageList items={page.items}>{page.nextCursor !== null && <LoadOlder list={list} />}</MessageList>
      ) : loadable.state === 'failed' && !isReadingOffline ? (
        <ErrorState title={t('message.failed')} retryLabel={t('common.retry')} onRetry={refresh}>
          {failureText(t, format, loadable.failure)}
        </ErrorState>
      ) : (
        <MessagesSkeleton />
      )}
    </Page>
  )
}

/** A text link; on a phone an icon, because in several languages the text takes the title's place. */
function ReadAllButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation()
  const label = t('message.readAll')
  if (!useMedia(wideMedia)) return <IconButton icon="check" label={label} onClick={onClick} />
  return <TextLink onClick={onClick}>{label}</TextLink>
}

function MessageList({ items, children }: { items: readonly Message[]; children: ReactNode }) {
  const { t } = useTranslation()
  const { messages } = useStreams()
  const now = useMinute()
  const currency = useVenueConfig()?.currency ?? ''
  const products = useCatalog()
  const codeOf = (id: string): string => products?.find((product) => product.id === id)?.code ?? id
  const read = (id: string): void => void messages.read({ ids: [id] })
  if (items.length === 0) {
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
  return (
    <>
      <p className={styles.practice}>
        <PracticeBadge />
      </p>
      <ul>
        {items.map((message) => (
          <li key={message.id} className={styles.item}>
            <MessageRow message={message} context={{ codeOf, currency }} now={now} onRead={read} />
          </li>
        ))}
      </ul>
      {children}
    </>
  )
}

function LoadOlder({ list: { loading, failure } }: { list: ListState<Message> }) {
  const { t } = useTranslation()
  const { messages } = useStreams()
  return (
    <MoreButton
      onMore={failure ? messages.retry : messages.more}
      busy={loading}
      failed={failure && t('content.moreFailed')}
    />
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
