import { useTranslation } from 'react-i18next'
import { codeText, failureText } from '../../api/failureText.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { Icon, IconButton, TextLink } from '../../ui/index.ts'
import type { Photo } from '../verify/usePhoto.ts'
import styles from './Attachment.module.css'

/** The photo that goes with the next message: on its way, there, or why not. Nothing where none was chosen. */
export function Attachment({ photo }: { photo: Photo }) {
  const { t } = useTranslation()
  const shown = photo.photo
  const problem = useProblemText(photo)
  if (shown.state === 'empty' && problem === undefined) return null
  const part = shown.state === 'sending' && shown.total > 0 ? Math.min(1, shown.sent / shown.total) : 0
  return (
    <div className={styles.attachment}>
      <span className={styles.frame}>
        {'url' in shown && shown.url !== undefined ? (
          <img src={shown.url} alt={t('service.photo')} />
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
        {shown.state === 'sending' && (
          <progress className={styles.bar} max={1} value={part} aria-label={t('service.photo')} />
        )}
      </span>
      {shown.state === 'failed' && <TextLink onClick={photo.retry}>{t('common.retry')}</TextLink>}
      <IconButton icon="x" size={20} label={t('service.photoRemove')} onClick={photo.cancel} />
    </div>
  )
}

function Caption({ photo }: { photo: Photo }) {
  const { t } = useTranslation()
  const format = useFormat()
  const shown = photo.photo
  if (shown.state === 'sent') return t('service.photoReady')
  const part = shown.state === 'sending' && shown.total > 0 ? shown.sent / shown.total : 0
  return t('service.photoSending', { share: format.rate(Math.floor(Math.min(1, part) * 100) * 100) })
}

function useProblemText(photo: Photo): string | undefined {
  const { t } = useTranslation()
  const format = useFormat()
  const shown = photo.photo
  const problem = shown.state === 'empty' || shown.state === 'failed' ? shown.problem : undefined
  if (problem === undefined) return undefined
  return problem.kind === 'code' ? codeText(t, format, problem.code) : failureText(t, format, problem.failure)
}
