import { useEffect, useRef, useState } from 'react'
import { moneyOf } from '../../../contract/money.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { Button } from '../../../src/ui/Button.tsx'
import { TextArea } from '../../../src/ui/TextArea.tsx'
import { cx } from '../../../src/ui/cx.ts'
import { call } from '../../api.ts'
import { useCanned } from '../../canned/useCanned.ts'
import { useOfficeList } from '../../data/useOfficeCall.ts'
import { useRun } from '../../data/useRun.ts'
import { useTexts } from '../../i18n.ts'
import { Keys } from '../../keys/Keys.tsx'
import { useCommands } from '../../keys/useCommands.ts'
import { useTextField } from '../../keys/useTextField.ts'
import { useKeptText } from '../../state/drafts.ts'
import { useMay } from '../../state/staff.ts'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { LanguageChoice } from '../../ui/LanguageChoice.tsx'
import { Photo } from '../../ui/Photo.tsx'
import { useReadLanguage, type Reads } from '../../ui/useReadLanguage.ts'
import { Warnings } from '../../ui/Warnings.tsx'
import { When } from '../../ui/When.tsx'
import { ReadyReplies } from './ReadyReplies.tsx'
import { ReplyPicture, useReplyPicture } from './ReplyPicture.tsx'
import { useNewest } from './useNewest.ts'
import styles from './Thread.module.css'

const { service } = officeRoutes
const everyMs = 5000
const replyMax = 4000

type ThreadProps = {
  memberId: string
  reads: Reads
  /** What the member has asked to withdraw and not received; undefined until it is known. */
  held: string | undefined
  /** Opens the next conversation of the queue; undefined outside of it. */
  onNext?: () => void
}

/** The conversation with a member, and the reply. Looking at it marks the member's messages as read. */
export function Thread(props: ThreadProps) {
  const t = useTexts()
  const { memberId } = props
  const { items, failure, isLoading, hasMore, more, isLoadingMore } = useOfficeList(
    service.show,
    { params: { id: memberId } },
    { everyMs },
  )
  const { box, toEnd, unseen, onScroll } = useNewest(items)
  return (
    <div className={styles.thread}>
      <FailureLine failure={failure} />
      <div
        ref={box}
        role="log"
        aria-label={t('thread.messages')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
        tabIndex={0}
        className={styles.messages}
        onScroll={onScroll}
      >
        {hasMore && (
          <Button variant="text" busy={isLoadingMore} onClick={more}>
            {t('thread.earlier')}
          </Button>
        )}
        <ol className={styles.list}>
          {[...items].reverse().map((message) => (
            <li key={message.id} className={cx(styles.message, message.from === 'desk' && styles.own)}>
              <p className={styles.by}>
                {t(`thread.from.${message.from}`)} · <When at={message.at} />
              </p>
              {message.body !== '' && <p className={styles.body}>{message.body}</p>}
              {message.uploadId !== null && <Photo uploadId={message.uploadId} label={t('thread.picture')} />}
            </li>
          ))}
        </ol>
        {!isLoading && items.length === 0 && failure === undefined && <p>{t('thread.empty')}</p>}
      </div>
      <div role="status">
        {unseen > 0 && (
          <Button variant="secondary" size="small" onClick={toEnd}>
            {t('thread.new', { count: unseen })}
          </Button>
        )}
      </div>
      {useMay()('service.reply') && <Reply {...props} />}
    </div>
  )
}

function Reply({ memberId, reads, held, onNext }: ThreadProps) {
  const t = useTexts()
  const [text, setText] = useKeptText(`reply ${memberId}`)
  const { language, check, choice } = useReadLanguage(reads)
  const field = useTextField()
  const picture = useReplyPicture(memberId)
  const [isSent, setSent] = useState(false)
  const { run, busy, failure } = useRun(
    (body: string) => {
      const { uploadId } = picture
      const reply = { body, ...(uploadId !== null && { uploadId }) }
      return call(service.reply, { params: { id: memberId }, body: reply })
    },
    () => {
      setText('')
      picture.clear()
      // So that the keys work again.
      field.leave()
      setSent(true)
    },
  )
  // It would be untrue of a member who waits for nothing.
  const pending = useCanned(language)?.chat.withdrawalPending
  const isUntrue =
    held !== undefined && moneyOf(held) === 0 && pending !== undefined && text.includes(pending)
  const isEmpty = text.trim() === '' && picture.uploadId === null
  // There is nothing to send until something else is written.
  const next = isSent && isEmpty && !picture.isSending ? onNext : undefined
  const send = (): void => {
    if (!isEmpty && !picture.isSending) run(text.trim())
  }
  const insert = (sentence: string): void => {
    setText((before) => (before.trim() === '' ? sentence : `${before.trimEnd()}\n${sentence}`))
    field.focus()
  }
  useCommands([
    { label: 'thread.write', keys: 'r', group: 'request', run: field.focus },
    { label: 'thread.send', keys: 'mod+Enter', group: 'request', run: send, inFields: true },
  ])
  return (
    <div {...field.props} className={styles.reply}>
      <TextArea
        label={t('thread.reply')}
        rows={3}
        maxLength={replyMax}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Warnings isMild texts={isUntrue ? [t('thread.noWithdrawal')] : []} />
      <FailureLine failure={failure ?? picture.failure} />
      <div className={styles.tools}>
        <LanguageChoice
          {...choice}
          label={t('thread.canned')}
          // It is already shown beside the account.
          {...(reads.language !== null && { ofMember: reads.language })}
        />
        <ReplyPicture picture={picture} />
        <div role="status">{next !== undefined && <Sent onNext={next} />}</div>
        {next === undefined && (
          <Button size="small" busy={busy} disabled={isEmpty || picture.isSending} onClick={send}>
            {t('thread.send')} <Keys keys="mod+Enter" />
          </Button>
        )}
      </div>
      <ReadyReplies language={language} mayChoose={check} onChoose={insert} onLeave={field.focus} />
    </div>
  )
}

/** Says that the reply was sent, and what comes next: the member may write again, so that the conversation stays open. */
function Sent({ onNext }: { onNext: () => void }) {
  const t = useTexts()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return (
    <p className={styles.sent}>
      {t('message.sent')}
      <Button ref={button} size="small" variant="secondary" onClick={onNext}>
        {t('keys.next')} <Keys keys="n" />
      </Button>
    </p>
  )
}
