import { useRef, useState } from 'react'
import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import { defaultLanguage } from '../../../contract/constants.ts'
import type { Language } from '../../../contract/constants.ts'
import { Button } from '../../../src/ui/Button.tsx'
import { TextArea } from '../../../src/ui/TextArea.tsx'
import { cx } from '../../../src/ui/cx.ts'
import { useCanned } from '../../canned/useCanned.ts'
import { call } from '../../api.ts'
import { useDeskList } from '../../data/useDesk.ts'
import { useRun } from '../../data/useRun.ts'
import { currentLanguage, useTexts } from '../../i18n.ts'
import { Keys } from '../../keys/Keys.tsx'
import { useCommands } from '../../keys/useCommands.ts'
import { useMay } from '../../state/staff.ts'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { LanguageChoice } from '../../ui/LanguageChoice.tsx'
import { Photo } from '../../ui/Photo.tsx'
import { When } from '../../ui/When.tsx'
import { ReplyPicture, useReplyPicture } from './ReplyPicture.tsx'
import styles from './Thread.module.css'

const { service } = backOfficeRoutes
const everyMs = 5000
const replyMax = 4000

/** The conversation with a member, and the reply. Looking at it marks the member's messages as read. */
export function Thread({ memberId }: { memberId: string }) {
  const t = useTexts()
  const { items, failure, isLoading, hasMore, more, isLoadingMore } = useDeskList(
    service.show,
    { params: { id: memberId } },
    { everyMs },
  )
  return (
    <div className={styles.thread}>
      <FailureLine failure={failure} />
      {hasMore && (
        <Button variant="text" busy={isLoadingMore} onClick={more}>
          {t('thread.earlier')}
        </Button>
      )}
      <ol className={styles.list} aria-label={t('thread.messages')}>
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
      {useMay()('service.reply') && <Reply memberId={memberId} />}
    </div>
  )
}

function Reply({ memberId }: { memberId: string }) {
  const t = useTexts()
  const [text, setText] = useState('')
  const [language, setLanguage] = useState<Language>(defaultLanguage)
  const area = useRef<HTMLDivElement>(null)
  const picture = useReplyPicture(memberId)
  const { run, busy, failure } = useRun(
    (body: string) => {
      const { uploadId } = picture
      const reply = { body, ...(uploadId !== null && { uploadId }) }
      return call(service.reply, { params: { id: memberId }, body: reply })
    },
    () => {
      setText('')
      picture.clear()
    },
  )
  const field = (): HTMLTextAreaElement | null => area.current?.querySelector('textarea') ?? null
  const isEmpty = text.trim() === '' && picture.uploadId === null
  const send = (): void => {
    if (!isEmpty && !picture.isSending) run(text.trim())
  }
  const insert = (sentence: string): void => {
    setText((before) => (before.trim() === '' ? sentence : `${before.trimEnd()}\n${sentence}`))
    field()?.focus()
  }
  useCommands([
    { label: 'thread.write', keys: 'r', group: 'request', run: () => field()?.focus() },
    { label: 'thread.send', keys: 'mod+Enter', group: 'request', run: send, inFields: true },
  ])
  return (
    <div ref={area} className={styles.reply}>
      <TextArea
        label={t('thread.reply')}
        rows={3}
        maxLength={replyMax}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <FailureLine failure={failure ?? picture.failure} />
      <div className={styles.tools}>
        <LanguageChoice label={t('thread.canned')} value={language} onValue={setLanguage} />
        <ReplyPicture picture={picture} />
        <Button size="small" busy={busy} disabled={isEmpty || picture.isSending} onClick={send}>
          {t('thread.send')} <Keys keys="mod+Enter" />
        </Button>
      </div>
      <Sentences language={language} onChoose={insert} />
    </div>
  )
}

/** Canned sentences: named in the clerk's language, inserted in the member's. */
function Sentences({ language, onChoose }: { language: Language; onChoose: (text: string) => void }) {
  const own: Record<string, string> = useCanned(currentLanguage())?.chat ?? {}
  const theirs: Record<string, string> = useCanned(language)?.chat ?? {}
  return (
    <ul className={styles.sentences}>
      {Object.entries(own).map(([key, text]) => (
        <li key={key}>
          <button type="button" className={styles.sentence} onClick={() => onChoose(theirs[key] ?? '')}>
            {text}
          </button>
        </li>
      ))}
    </ul>
  )
}
