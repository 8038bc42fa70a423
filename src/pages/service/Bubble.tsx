import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ServiceMessage } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { cx, Icon, Sheet, VisuallyHidden } from '../../ui/index.ts'
import styles from './Bubble.module.css'

/** One message of the conversation: the member's at the right, customer service's at the left. */
export function Bubble({ message }: { message: ServiceMessage }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { from, body, uploadId, at } = message
  const own = from === 'member'
  return (
    <li className={cx(styles.line, own && styles.own)}>
      <div className={styles.bubble}>
        <VisuallyHidden>{t(own ? 'service.you' : 'service.desk')}: </VisuallyHidden>
        {uploadId !== null && <MessagePhoto uploadId={uploadId} />}
        {body !== '' && <p className={styles.body}>{body}</p>}
      </div>
      <time className={styles.time} dateTime={new Date(at).toISOString()}>
        {own ? format.timeShort(at) : `${t('service.desk')} · ${format.timeShort(at)}`}
      </time>
    </li>
  )
}

/**
 * A photo in its frame from the first moment, so that nothing moves when it has come. It opens inside the app: at its
 * address alone the venue answers with JSON if it is away or the session has ended.
 */
function MessagePhoto({ uploadId }: { uploadId: string }) {
  const { t } = useTranslation()
  const [failed, setFailed] = useState(false)
  const [open, setOpen] = useState(false)
  const address = `/api/uploads/${encodeURIComponent(uploadId)}`
  if (failed) {
    return (
      <span className={cx(styles.photo, styles.missing)}>
        <Icon name="image" size={24} />
        {t('service.photoFailed')}
      </span>
    )
  }
  const image = <img src={address} alt={t('service.photo')} loading="lazy" onError={() => setFailed(true)} />
  return (
    <>
      <button
        type="button"
        className={styles.photo}
        aria-label={t('service.photoOpen')}
        onClick={() => setOpen(true)}
      >
        {image}
      </button>
      <Sheet
        wide
        open={open}
        onClose={() => setOpen(false)}
        title={t('service.photo')}
        closeLabel={t('common.close')}
      >
        <div className={styles.whole}>{image}</div>
      </Sheet>
    </>
  )
}
