import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ServiceMessage } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { cx, Icon, VisuallyHidden } from '../../ui/index.ts'
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
        {uploadId !== null && <Photo uploadId={uploadId} />}
        {body !== '' && <p className={styles.body}>{body}</p>}
      </div>
      <time className={styles.time} dateTime={new Date(at).toISOString()}>
        {own ? format.timeShort(at) : `${t('service.desk')} · ${format.timeShort(at)}`}
      </time>
    </li>
  )
}

/** A photo in its frame from the first moment, so that nothing moves when it has come. */
function Photo({ uploadId }: { uploadId: string }) {
  const { t } = useTranslation()
  const [failed, setFailed] = useState(false)
  const address = `/api/uploads/${encodeURIComponent(uploadId)}`
  if (failed) {
    return (
      <span className={cx(styles.photo, styles.missing)}>
        <Icon name="image" size={24} />
        {t('service.photoFailed')}
      </span>
    )
  }
  return (
    <a
      className={styles.photo}
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={t('service.photoOpen')}
    >
      <img src={address} alt={t('service.photo')} loading="lazy" onError={() => setFailed(true)} />
    </a>
  )
}
