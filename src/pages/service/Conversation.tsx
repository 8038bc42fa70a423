import { useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { businessDay } from '../../../contract/time.ts'
import { groupByDay } from '../../features/lists/groupByDay.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { useServiceHours, useVenueZone } from '../../hooks/useVenue.ts'
import { Button, cx, Icon, Skeleton } from '../../ui/index.ts'
import { Bubble } from './Bubble.tsx'
import styles from './Conversation.module.css'
import type { Thread } from './useThread.ts'
import { Loaded } from '../../shell/Loaded.tsx'
import { loadableOf } from '../../hooks/useListState.ts'

/** The messages grouped by day, the newest at the bottom, where the page opens. */
export function Conversation({ thread }: { thread: Thread }) {
  const { t } = useTranslation()
  const format = useFormat()
  const zone = useVenueZone()
  const { clock } = useStreams()
  const { messages, cursor, loading, failure, more, retry } = thread
  const log = useRef<HTMLDivElement>(null)
  useScrollAnchor(log, messages[0]?.id, messages.at(-1)?.id)
  if (messages.length === 0 && cursor === undefined) {
    return (
      <Loaded
        of={loadableOf({ items: messages, cursor, loading, failure })}
        failed={t('service.failed')}
        retry={retry}
        skeleton={<ConversationSkeleton />}
      />
    )
  }
  const dayOf = (at: number): string => businessDay(at, zone)
  const today = dayOf(clock.now())
  return (
    <div ref={log} className={styles.log} role="log" aria-label={t('service.thread')}>
      {typeof cursor === 'string' ? (
        <div className={styles.earlier}>
          <Button variant="secondary" size="small" busy={loading} onClick={failure ? retry : more}>
            {failure ? t('common.retry') : t('service.earlier')}
          </Button>
          {failure && <p className={styles.failed}>{t('service.earlierFailed')}</p>}
        </div>
      ) : (
        <Introduction alone={messages.length === 0} />
      )}
      {groupByDay(messages, ({ at }) => dayOf(at)).map(({ day, items: dayMessages }) => (
        <section key={day} className={styles.day}>
          <h2 className={styles.head}>
            {day === today ? t('service.today') : format.dayHead(dayMessages[0]?.at ?? 0)}
          </h2>
          <ul className={styles.bubbles}>
            {dayMessages.map((message) => (
              <Bubble key={message.id} message={message} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** Explains customer service if there are no messages; above a conversation only the safety warning. */
function Introduction({ alone }: { alone: boolean }) {
  const { t } = useTranslation()
  const hours = useServiceHours()
  const hoursText = hours === undefined ? '' : t('service.hours', { hours })
  if (!alone)
    return (
      <p className={cx(styles.warning, styles.over)}>
        {t('service.warning')} {hoursText}
      </p>
    )
  return (
    <div className={styles.intro}>
      <Icon name="headset" size={32} />
      <p>{t('service.intro')}</p>
      {hoursText !== '' && <p>{hoursText}</p>}
      <p className={styles.warning}>{t('service.warning')}</p>
    </div>
  )
}

/** Within this distance of the bottom the page scrolls to new messages. */
const atBottomPx = 160

/**
 * Keeps the scroll position: at the bottom when new messages arrive, and in place when earlier messages are inserted
 * above.
 */
function useScrollAnchor(
  log: React.RefObject<HTMLDivElement | null>,
  oldest: string | undefined,
  newest: string | undefined,
): void {
  const last = useRef<{ oldest?: string; newest?: string; height: number }>({ height: 0 })
  const isAtBottom = useRef(true)
  useEffect(() => {
    const onScroll = (): void => {
      isAtBottom.current = document.documentElement.scrollHeight - innerHeight - scrollY < atBottomPx
    }
    addEventListener('scroll', onScroll, { passive: true })
    return () => removeEventListener('scroll', onScroll)
  }, [])
  useLayoutEffect(() => {
    const height = log.current?.offsetHeight ?? 0
    const { oldest: lastOldest, newest: lastNewest, height: lastHeight } = last.current
    last.current = { ...(oldest && { oldest }), ...(newest && { newest }), height }
    if (newest === undefined) return
    if (lastOldest !== undefined && oldest !== lastOldest && newest === lastNewest)
      scrollBy(0, height - lastHeight)
    else if (newest !== lastNewest && isAtBottom.current) scrollTo(0, document.documentElement.scrollHeight)
  }, [log, oldest, newest])
}

const skeletonBubbles = [
  { side: 'desk', width: '62%' },
  { side: 'member', width: '48%' },
  { side: 'desk', width: '54%' },
] as const

function ConversationSkeleton() {
  const { t } = useTranslation()
  return (
    <output className={styles.blanks} aria-label={t('service.loading')}>
      {skeletonBubbles.map(({ side, width }) => (
        <Skeleton key={width} className={styles[side]} width={width} height={44} radius={12} />
      ))}
    </output>
  )
}
