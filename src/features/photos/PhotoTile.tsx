import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { assertNever } from '../../../contract/units.ts'
import { codeText, failureText } from '../../api/failureText.ts'
import type { Format } from '../../text/format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { FileInput, Icon, Spinner, TextLink, cx } from '../../ui/index.ts'
import styles from './PhotoTile.module.css'
import { ProgressRing } from './ProgressRing.tsx'
import type { Photo, PhotoState } from './usePhoto.ts'

/** The formats the venue accepts; a phone converts its own format to one of these. */
const acceptedTypes = 'image/jpeg,image/png,image/webp'

export type PhotoTileProps = {
  name: string
  /** Shown below the tile, such as "Front". */
  label: string
  photo: Photo
  /** Shown if there is no photo. */
  glyph: ReactNode
}

/** One photo: a file field, the upload's progress, the photo once it is uploaded, and a way to replace it. */
export function PhotoTile({ name, label, photo, glyph }: PhotoTileProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const id = useId()
  const { state } = photo.photo
  const isBusy = state === 'preparing' || state === 'sending'
  const problem = problemOf(photo.photo)
  const problemText =
    problem &&
    (problem.kind === 'code' ? codeText(t, format, problem.code) : failureText(t, format, problem.failure))
  return (
    <div className={styles.side}>
      <div className={cx(styles.tile, problem !== undefined && styles.wrong)}>
        <PhotoPreview photo={photo.photo} label={label} glyph={glyph} />
        <FileInput
          id={id}
          name={name}
          accept={acceptedTypes}
          aria-label={t('verify.choose', { photo: label })}
          aria-describedby={`${id}-help`}
          aria-invalid={problem !== undefined || undefined}
          disabled={isBusy}
          onFile={(file) => void photo.choose(file)}
        />
      </div>
      <div className={cx(styles.under, problemText !== undefined && styles.short)}>
        <span className={styles.words}>
          <span className={styles.label}>{label}</span>
          {problemText === undefined && (
            <span id={`${id}-help`} className={styles.caption} aria-live="polite">
              {captionOf(photo.photo)}
            </span>
          )}
        </span>
        {isBusy && <TextLink onClick={photo.cancel}>{t('common.cancel')}</TextLink>}
        {state === 'failed' && <TextLink onClick={photo.retry}>{t('common.retry')}</TextLink>}
        {state === 'sent' && (
          <label htmlFor={id} className={styles.replace}>
            {t('verify.replace')}
          </label>
        )}
      </div>
      {problemText !== undefined && (
        <p id={`${id}-help`} className={styles.problem} role="alert">
          {problemText}
        </p>
      )}
    </div>
  )

  function captionOf(current: PhotoState): string {
    if (current.state === 'sent') return t('verify.uploaded')
    if (current.state === 'preparing') return t('verify.preparing')
    if (current.state !== 'sending') return t('verify.tapToAdd')
    return t('verify.progress', {
      sent: megabytes(format, current.sent),
      total: megabytes(format, current.total),
    })
  }
}

function PhotoPreview({ photo, label, glyph }: { photo: PhotoState; label: string; glyph: ReactNode }) {
  const { t } = useTranslation()
  switch (photo.state) {
    case 'preparing':
      return <Spinner />
    case 'sending':
      return (
        <ProgressRing sent={photo.sent} total={photo.total} label={t('verify.sending', { photo: label })} />
      )
    case 'empty':
      return (
        <>
          {glyph}
          <span className={styles.add}>
            <Icon name="camera" size={20} />
          </span>
        </>
      )
    case 'failed':
    case 'sent':
      return (
        <>
          {photo.url === undefined ? glyph : <img className={styles.picture} src={photo.url} alt={label} />}
          {photo.state === 'sent' && (
            <span className={styles.mark}>
              <Icon name="check-bold" size={12} />
            </span>
          )}
        </>
      )
    default:
      return assertNever(photo)
  }
}

const problemOf = (photo: PhotoState) =>
  photo.state === 'empty' || photo.state === 'failed' ? photo.problem : undefined

/** Megabytes with one decimal; never 0.0 for a non-empty file. */
const megabytes = (format: Format, bytes: number): string =>
  format.decimal(bytes === 0 ? '0' : Math.max(0.1, bytes / 1e6).toFixed(1))
