import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { authRoutes } from '../../../contract/auth.ts'
import { captchaRule } from '../../../contract/rules.ts'
import { failureText } from '../../api/failureText.ts'
import { errorCodeOf, retryAfterMsOf } from '../../api/result.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useWait } from '../../hooks/useWait.ts'
import { beginSession } from '../../state/session.ts'
import { useFields } from '../../features/forms/useFields.ts'

/**
 * The login form: after three failures the venue requires a verification code, after more of them a wait between two
 * attempts.
 */
export function useLogin(initialAccount: string) {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  const [isCaptchaRequired, setCaptchaRequired] = useState(false)
  /** A picture is valid once: each attempt needs a new one. */
  const [picture, setPicture] = useState(0)
  const [captchaId, setCaptchaId] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [waitMs, wait] = useWait()
  const fields = useFields(
    { account: initialAccount, password: '', captcha: '' },
    {
      account: ({ account }) => (account.trim() === '' ? t('login.enterAccount') : undefined),
      password: ({ password }) => (password === '' ? t('login.enterPassword') : undefined),
      captcha: ({ captcha }) => {
        const code = isCaptchaRequired ? captchaRule(captcha) : undefined
        return code && (code === 'REQUIRED' ? t('login.enterCaptcha') : t(`error.${code}`))
      },
    },
  )
  const renewPicture = (): void => setPicture((n) => n + 1)
  const [send, busy] = useAction(async (form: HTMLFormElement) => {
    setProblem(undefined)
    if (waitMs > 0 || !fields.validate(form)) return
    const { account, password, captcha } = fields.texts
    const captchaAnswer = isCaptchaRequired && captchaId !== undefined ? { captchaId, captcha } : {}
    const result = await call(authRoutes.login, {
      body: { account: account.trim(), password, ...captchaAnswer },
    })
    if (result.ok) {
      beginSession(result.value)
      return
    }
    const retryAfterMs = retryAfterMsOf(result.failure)
    if (retryAfterMs !== undefined) {
      // The input and the picture stay: the venue did not check them.
      wait(retryAfterMs)
      return
    }
    const code = errorCodeOf(result)
    renewPicture()
    fields.set('captcha', '')
    if (code === 'CAPTCHA_REQUIRED') setCaptchaRequired(true)
    else if (code === 'CAPTCHA_WRONG') fields.showServerErrors(form, { captcha: t('error.CAPTCHA_WRONG') })
    else setProblem(failureText(t, format, result.failure))
  })
  return {
    fields,
    send,
    busy,
    problem,
    waitMs,
    /** The wait may apply to one account only: another one may be tried at once. */
    endWait: () => wait(0),
    captcha: isCaptchaRequired ? { picture, renewPicture, setCaptchaId } : undefined,
  }
}
