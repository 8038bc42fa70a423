import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { contentRoutes } from '../../../contract/content.ts'
import { hourMs } from '../../../contract/time.ts'
import type { Message } from '../../../streams/index.ts'
import { LoadMore } from '../../features/lists/LoadMore.tsx'
import { useFormat } from '../../hooks/useFormat.ts'
import { useList, type ListSource } from '../../hooks/useList.ts'
import { useReloadOn } from '../../hooks/useReloadOn.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { cx, Icon, Spinner } from '../../ui/index.ts'
import { MessageContent, MessageRow, type MessageRowProps } from './MessageRow.tsx'
import rowStyles from './MessageRow.module.css'
import styles from './ResultHour.module.css'
import { messageText } from './messageText.ts'
import { Loaded } from '../../shell/Loaded.tsx'
import { itemsOf } from '../../hooks/useListState.ts'

/** The results of one hour as one row, which opens to show each of them. */
export function ResultHour({ message, context, now }: Pick<MessageRowProps, 'message' | 'context' | 'now'>) {
  const { t } = useTranslation()
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const { title, text } = messageText(t, format, message, context)
  return (
    <>
      <button
        type="button"
        className={cx(rowStyles.row, rowStyles.acts)}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <MessageContent message={message} now={now} title={title}>
          <span className={rowStyles.text}>{text}</span>
        </MessageContent>
        <Icon name={isOpen ? 'caret-up' : 'caret-down'} size={16} className={rowStyles.caret} />
      </button>
      {isOpen && <HourResults {...{ message, context, now }} />}
    </>
  )
}

/** Shown results are read. A new one of the hour loads them again. */
function HourResults({ message, context, now }: Pick<MessageRowProps, 'message' | 'context' | 'now'>) {
  const { t } = useTranslation()
  const { messages } = useStreams()
  const from = Number(message.params['from'])
  const list = useList(useMemo(() => hourSource(from), [from]))
  const { items, cursor, loading, failure, more, retry, reload } = list
  useReloadOn(message.at, reload)
  useEffect(() => {
    const ids = items.filter(({ read }) => !read).map(({ id }) => id)
    for (let i = 0; i < ids.length; i += readAtOnce) void messages.read({ ids: ids.slice(i, i + readAtOnce) })
  }, [items, messages])
  const waiting = (
    <div className={styles.results}>
      <output className={styles.loading} aria-label={t('content.loading')}>
        <Spinner />
      </output>
    </div>
  )
  return (
    <Loaded
      of={itemsOf(list)}
      failed={t('message.failed')}
      retry={retry}
      busy={loading}
      skeleton={waiting}
      empty={waiting}
    >
      {(results) => (
        <div className={styles.results}>
          <ul>
            {results.map((item) => (
              <li key={item.id}>
                <MessageRow message={item} context={context} now={now} onRead={() => undefined} />
              </li>
            ))}
          </ul>
          {typeof cursor === 'string' && (
            <LoadMore onMore={more} busy={loading} failed={failure !== undefined} />
          )}
        </div>
      )}
    </Loaded>
  )
}

/** The maximum that one call accepts. */
const readAtOnce = 100

const hourSource = (from: number): ListSource<Message> => ({
  load: (call, after, signal) => {
    const query = {
      category: 'trade' as const,
      from: String(from),
      to: String(from + hourMs - 1),
      limit: '100',
    }
    return call(contentRoutes.messages, { query: { ...query, ...after } }, { signal })
  },
})
