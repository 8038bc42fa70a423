import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { authRoutes } from '../../../contract/auth.ts'
import type { Client } from '../../api/client.ts'
import { useRequest } from '../../hooks/useRequest.ts'
import { Field, Skeleton, TextLink } from '../../ui/index.ts'
import type { FieldBinding } from '../../features/forms/useFields.ts'
import styles from './CaptchaField.module.css'

export type CaptchaFieldProps = {
  binding: FieldBinding
  /** Called with the id of the current picture; it is sent with the digits. */
  onPicture: (captchaId: string) => void
  onRenew: () => void
}

const loadCaptcha = (call: Client, signal: AbortSignal) => call(authRoutes.captcha, {}, { signal })

/** Four digits to read from a picture. It fetches its own picture; a new `key` fetches a new one. */
export function CaptchaField({ binding, onPicture, onRenew }: CaptchaFieldProps) {
  const { t } = useTranslation()
  const { loadable } = useRequest(loadCaptcha, { once: true })
  const picture = loadable.state === 'ready' ? loadable.value : undefined
  const captchaId = picture?.captchaId
  useEffect(() => {
    if (captchaId !== undefined) onPicture(captchaId)
  }, [captchaId, onPicture])
  return (
    <Field
      {...binding}
      label={t('login.captcha')}
      hint={loadable.state === 'failed' ? t('login.captchaFailed') : t('login.captchaHint')}
      labelEnd={<TextLink onClick={onRenew}>{t('login.captchaNew')}</TextLink>}
      inputMode="numeric"
      maxLength={4}
      autoComplete="off"
      suffix={
        picture ? (
          // As an image its markup cannot run scripts.
          <img
            className={styles.picture}
            alt={t('login.captchaPicture')}
            src={`data:image/svg+xml,${encodeURIComponent(picture.svg)}`}
          />
        ) : (
          <span className={styles.picture}>
            <Skeleton height="100%" />
          </span>
        )
      }
    />
  )
}
