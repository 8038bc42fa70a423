import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { authRoutes } from '../../../contract/auth.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import type { Result } from '../../api/result.ts'
import { useResource, type ResourceSource } from '../../hooks/useResource.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { CodeField, Skeleton, TextLink } from '../../ui/index.ts'
import type { ValueBinding } from '../../features/forms/useFields.ts'
import styles from './CaptchaField.module.css'

export type CaptchaFieldProps = {
  binding: ValueBinding
  /** Called with the id of the current picture; it is sent with the digits. */
  onPicture: (captchaId: string) => void
  onRenew: () => void
}

type Captcha = RouteAnswer<typeof authRoutes.captcha>

/** One picture: after a reconnect it is still the one whose digits are being typed. */
function captchaSource(): ResourceSource<Captcha> {
  let picture: Result<Captcha> | undefined
  return {
    fetch: async (call, signal) => {
      if (!picture?.ok) picture = await call(authRoutes.captcha, {}, { signal })
      return picture
    },
  }
}

/** Four digits to read from a picture. It fetches its own picture; a new `key` fetches a new one. */
export function CaptchaField({ binding, onPicture, onRenew }: CaptchaFieldProps) {
  const { t } = useTranslation()
  const [source] = useState(captchaSource)
  const { loadable } = useResource(source)
  const picture = valueOf(loadable)
  const captchaId = picture?.captchaId
  useEffect(() => {
    if (captchaId !== undefined) onPicture(captchaId)
  }, [captchaId, onPicture])
  return (
    <CodeField
      {...binding}
      label={t('login.captcha')}
      hint={loadable.state === 'failed' ? t('login.captchaFailed') : t('login.captchaHint')}
      labelEnd={<TextLink onClick={onRenew}>{t('login.captchaNew')}</TextLink>}
      inputMode="numeric"
      maxLength={4}
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
