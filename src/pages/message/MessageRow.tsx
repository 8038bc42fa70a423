import { useTranslation } from 'react-i18next'
import type { ReactNode } from 'react'
import type { Message } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { Markdown } from '../../markdown/Markdown.tsx'
import { cx, Icon, TextLink, VisuallyHidden, type IconName } from '../../ui/index.ts'
import { messageHref } from './messageHref.ts'
import styles from './MessageRow.module.css'
import { messageText, type MessageContext } from './messageText.ts'

const icons: Readonly<Record<Message['category'], IconName>> = {
  trade: 'receipt',
  money: 'wallet',
  fund: 'vault',
  account: 'user-circle',
  notice: 'chat-circle-text',
}

const iconOf = ({ key, category }: Message): IconName =>
  key === 'priceAlert' ? 'bell-ringing' : icons[category]

export type MessageRowProps = {
  message: Message
  context: MessageContext
  now: number
  onRead: (id: string) => void
}

/** A message from the venue: the whole row links to its subject, or marks it as read. */
export function MessageRow(props: MessageRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { message, context, onRead } = props
  if (message.key === 'desk' && message.body !== null) return <OfficeRow {...props} body={message.body} />
  const { title, text } = messageText(t, format, message, context)
  const content = (
    <MessageContent {...props} title={title}>
      <span className={styles.text}>{text}</span>
    </MessageContent>
  )
  const href = messageHref(message.link)
  const read = (): void => {
    if (!message.read) onRead(message.id)
  }
  if (href !== undefined) {
    return (
      <a className={cx(styles.row, styles.acts)} href={href} onClick={read}>
        {content}
        <Icon name="caret-right" size={16} className={styles.caret} />
      </a>
    )
  }
  if (message.read) return <div className={styles.row}>{content}</div>
  return (
    <button type="button" className={cx(styles.row, styles.acts)} onClick={read}>
      {content}
    </button>
  )
}

/** A message written by customer service, in full and in its own language. */
function OfficeRow(props: MessageRowProps & { body: string }) {
  const { t } = useTranslation()
  const { message, body, onRead } = props
  const href = messageHref(message.link)
  const lang = message.lang === null ? {} : { lang: message.lang }
  const read = (): void => onRead(message.id)
  const actions = (
    <div className={styles.actions}>
      {href !== undefined && (
        <TextLink href={href} onClick={read}>
          {t('message.open')}
        </TextLink>
      )}
      {!message.read && <TextLink onClick={read}>{t('message.markRead')}</TextLink>}
    </div>
  )
  return (
    <div className={styles.row}>
      <MessageContent {...props} title={message.title ?? ''} lang={message.lang} actions={actions}>
        <div className={styles.body} {...lang}>
          <Markdown source={body} top={3} />
        </div>
      </MessageContent>
    </div>
  )
}

type MessageContentProps = Pick<MessageRowProps, 'message' | 'now'> & {
  title: string
  lang?: Message['lang']
  actions?: ReactNode
  children: ReactNode
}

/** Icon, title, time and what is between them. */
export function MessageContent({ message, now, title, lang, actions, children }: MessageContentProps) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <>
      <span className={styles.icon}>
        <Icon name={iconOf(message)} size={22} />
        {!message.read && <span className={styles.dot} />}
      </span>
      <div className={styles.words}>
        <span className={cx(styles.title, !message.read && styles.unread)} {...(lang ? { lang } : {})}>
          {title}
          {!message.read && <VisuallyHidden>, {t('message.unread')}</VisuallyHidden>}
        </span>
        {children}
        <span className={styles.time}>{format.ago(message.at, now, t('content.justNow'))}</span>
        {actions}
      </div>
    </>
  )
}
