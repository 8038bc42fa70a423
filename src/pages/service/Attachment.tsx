import { useTranslation } from 'react-i18next'
import { codeText, failureText } from '../../api/failureText.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { Icon, IconButton, TextLink } from '../../ui/index.ts'
import type { Photo } from '../../features/photos/usePhoto.ts'
import styles from './Attachment.module.css'

/** The photo for the next message: uploading, uploaded, or failed. Renders nothing if none was chosen. */
export function Attachment({ photo }: { photo: Photo }) {
  const { t } = useTranslation()
  const current = photo.photo
  const problem = useProblemText(photo)
  if (current.state === 'empty' && problem === undefined) return null
  const progress =
    current.state === 'sending' && current.total > 0 ? Math.min(1, current.sent / current.total) : 0
  return (
    <div className={styles.attachment}>
      <span className={styles.frame}>
        {'url' in current && current.url !== undefined ? (
          <img src={current.url} alt={t('service.photo')} />
        ) : (
          <Icon name="image" size={20} />
        )}
      </span>
      <span className={styles.words}>
        <span className={styles.caption} aria-live="polite">
          {problem === undefined ? (
            <Caption photo={photo} />
          ) : (
            <span className={styles.problem}>{problem}</span>
          )}
        </span>
        {current.state === 'sending' && (
          <progress className={styles.bar} max={1} value={progress} aria-label={t('service.photo')} />
        )}
      </span>
      {current.state === 'failed' && <TextLink onClick={photo.retry}>{t('common.retry')}</TextLink>}
      <IconButton icon="x" size={20} label={t('service.photoRemove')} onClick={photo.cancel} />
    </div>
  )
}

function Caption({ photo }: { photo: Photo }) {
  const { t } = useTranslation()
  const format = useFormat()
  const current = photo.photo
  if (current.state === 'sent') return t('service.photoReady')
  const progress = current.state === 'sending' && current.total > 0 ? current.sent / current.total : 0
  return t('service.photoSending', { share: format.rate(Math.floor(Math.min(1, progress) * 100) * 100) })
}

function useProblemText(photo: Photo): string | undefined {
  const { t } = useTranslation()
  const format = useFormat()
  const current = photo.photo
  const problem = current.state === 'empty' || current.state === 'failed' ? current.problem : undefined
  if (problem === undefined) return undefined
  return problem.kind === 'code' ? codeText(t, format, problem.code) : failureText(t, format, problem.failure)
}
