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
  const isOwn = from === 'member'
  return (
    <li className={cx(styles.line, isOwn && styles.own)}>
      <div className={styles.bubble}>
        <VisuallyHidden>{t(isOwn ? 'service.you' : 'service.desk')}: </VisuallyHidden>
        {uploadId !== null && <MessagePhoto uploadId={uploadId} />}
        {body !== '' && <p className={styles.body}>{body}</p>}
      </div>
      <time className={styles.time} dateTime={new Date(at).toISOString()}>
        {isOwn ? format.timeShort(at) : `${t('service.desk')} · ${format.timeShort(at)}`}
      </time>
    </li>
  )
}

/**
 * A photo with its frame reserved before it loads, so that the layout does not shift. It opens inside the app: at its
 * own address the venue answers with JSON if the photo is gone or the session has ended.
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
