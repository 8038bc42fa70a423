import { useState } from 'react'
import type { ChangeEvent, KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../streams/index.ts'
import { failureText } from '../../api/failureText.ts'
import { isComposing } from '../../composing.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useSession } from '../../state/session.ts'
import { Icon, IconButton, Spinner } from '../../ui/index.ts'
import { usePhoto } from '../../features/photos/usePhoto.ts'
import { Attachment } from './Attachment.tsx'
import styles from './Composer.module.css'
import { loadMessageDraft, saveMessageDraft } from './messageDraft.ts'

/** The contract's limit. */
const bodyMax = 4000
const acceptedTypes = 'image/jpeg,image/png,image/webp'

export type ComposerProps = {
  /** Resolves with the failure, or undefined on success. */
  write: (body: string, uploadId: string | undefined) => Promise<Failure | undefined>
}

/** Writes to customer service. The text stays until the venue has accepted it. */
export function Composer({ write }: ComposerProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const memberId = useSession().userInfo?.id ?? ''
  const [body, setBody] = useState(() => loadMessageDraft(memberId))
  const [failure, setFailure] = useState<Failure>()
  const photo = usePhoto('service')
  const { state } = photo.photo
  const uploadId = photo.photo.state === 'sent' ? photo.photo.uploadId : undefined
  const isPhotoPending = state === 'preparing' || state === 'sending' || state === 'failed'
  const type = (text: string): void => {
    setBody(text)
    saveMessageDraft(memberId, text)
  }
  const [send, busy] = useAction(async () => {
    const sendFailure = await write(body.trim(), uploadId)
    setFailure(sendFailure)
    if (sendFailure?.kind === 'rejected' && 'uploadId' in sendFailure.fields) photo.reject(sendFailure.code)
    if (sendFailure) return
    type('')
    photo.cancel()
  })
  const canSend = !busy && !isPhotoPending && (body.trim() !== '' || uploadId !== undefined)
  const onKeyDown = (event: KeyboardEvent): void => {
    // With a keyboard, Enter sends and Shift+Enter inserts a line break; on a phone Enter inserts one.
    const isSendKey = event.key === 'Enter' && !event.shiftKey && !isComposing(event.nativeEvent)
    if (!isSendKey || !matchMedia('(pointer: fine)').matches) return
    event.preventDefault()
    if (canSend) send()
  }
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    const file = currentTarget.files?.[0]
    // Reset, so that the same file can be chosen again.
    currentTarget.value = ''
    if (file) void photo.choose(file)
  }
  return (
    <form
      className={styles.composer}
      aria-label={t('service.write')}
      onSubmit={(event) => {
        event.preventDefault()
        if (canSend) send()
      }}
    >
      <Attachment photo={photo} />
      {failure && (
        <p className={styles.failure} role="alert">
          {t('service.sendFailed')} {failureText(t, format, failure)}
        </p>
      )}
      <div className={styles.line}>
        <label className={styles.attach}>
          <Icon name="image" label={t('service.attach')} />
          <input
            type="file"
            className={styles.file}
            accept={acceptedTypes}
            disabled={busy || state === 'preparing' || state === 'sending'}
            onChange={choose}
          />
        </label>
        <textarea
          className={styles.text}
          rows={1}
          maxLength={bodyMax}
          aria-label={t('service.write')}
          placeholder={t('service.write')}
          value={body}
          readOnly={busy}
          onChange={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {busy ? (
          <span className={styles.sending}>
            <Spinner />
          </span>
        ) : (
          <IconButton
            className={canSend ? styles.send : undefined}
            icon="paper-plane-right"
            label={t('service.send')}
            disabled={!canSend}
            onClick={send}
          />
        )}
      </div>
    </form>
  )
}
