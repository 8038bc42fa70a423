import { useId, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failureText.ts'
import { isComposing } from '../../lib/composing.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useTextHeight } from '../../hooks/useTextHeight.ts'
import { FileInput, Icon, IconButton, Spinner } from '../../ui/index.ts'
import { Attachment } from './Attachment.tsx'
import styles from './Composer.module.css'
import { useComposer, type WriteMessage } from './useComposer.ts'

/** The contract's limit. */
const bodyMax = 4000
const acceptedTypes = 'image/jpeg,image/png,image/webp'

/** Writes to customer service. The text stays until the venue has accepted it. */
export function Composer({ write }: { write: WriteMessage }) {
  const { t } = useTranslation()
  const format = useFormat()
  const photoId = useId()
  const { body, type, photo, canChoosePhoto, failure, busy, canSend, send } = useComposer(write)
  const area = useTextHeight()
  const onKeyDown = (event: KeyboardEvent): void => {
    // With a keyboard, Enter sends and Shift+Enter inserts a line break; on a phone Enter inserts one.
    const isSendKey = event.key === 'Enter' && !event.shiftKey && !isComposing(event.nativeEvent)
    if (!isSendKey || !matchMedia('(pointer: fine)').matches) return
    event.preventDefault()
    send()
  }
  return (
    <form
      className={styles.composer}
      aria-label={t('service.write')}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Attachment photo={photo} />
      {failure && (
        <p className={styles.failure} role="alert">
          {t('service.sendFailed')} {failureText(t, format, failure)}
        </p>
      )}
      <div className={styles.line}>
        <label className={styles.attach} htmlFor={photoId}>
          <Icon name="image" label={t('service.attach')} />
          <FileInput
            id={photoId}
            accept={acceptedTypes}
            disabled={!canChoosePhoto}
            onFile={(file) => void photo.choose(file)}
          />
        </label>
        <textarea
          ref={area}
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
          <SendButton
            canSend={canSend}
            onSend={() => {
              // The button goes while the message is sent.
              area.current?.focus()
              send()
            }}
          />
        )}
      </div>
    </form>
  )
}

function SendButton({ canSend, onSend }: { canSend: boolean; onSend: () => void }) {
  const { t } = useTranslation()
  return (
    <IconButton
      className={canSend ? styles.send : undefined}
      icon="paper-plane-right"
      label={t('service.send')}
      disabled={!canSend}
      onClick={onSend}
    />
  )
}
