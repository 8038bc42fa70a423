import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { useListState } from '../../hooks/useListState.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { isServiceReply } from '../../hooks/useUnread.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { Button, EmptyState } from '../../ui/index.ts'
import { Composer } from './Composer.tsx'
import { Conversation } from './Conversation.tsx'
import { useThread } from './useThread.ts'

/** Customer service: the conversation here, or a link to the venue's external service. */
export function Service() {
  const serviceUrl = useVenueConfig()?.serviceUrl ?? null
  return serviceUrl === null ? <ServiceChat /> : <ExternalService url={serviceUrl} />
}

function ServiceChat() {
  const { t } = useTranslation()
  const thread = useThread()
  useMarkRepliesRead()
  return (
    <Page
      ground="market"
      receives="events"
      title={t('title.service')}
      backTo={paths.home}
      footer={<Composer write={thread.write} />}
      footerAtEdge
    >
      <Conversation thread={thread} />
    </Page>
  )
}

function ExternalService({ url }: { url: string }) {
  const { t } = useTranslation()
  return (
    <Page ground="market" title={t('title.service')} backTo={paths.home}>
      <EmptyState
        icon="headset"
        title={t('service.elsewhere')}
        action={
          <Button icon="arrow-square-out" href={url}>
            {t('service.openElsewhere')}
          </Button>
        }
      >
        {new URL(url).host}
      </EmptyState>
    </Page>
  )
}

/** Reading the conversation marks the messages about its replies as read. */
function useMarkRepliesRead(): void {
  const { messages } = useStreams()
  const { items } = useListState(messages)
  useEffect(() => {
    const ids = items.filter((message) => isServiceReply(message) && !message.read).map(({ id }) => id)
    if (ids.length > 0) void messages.read({ ids })
  }, [items, messages])
}
