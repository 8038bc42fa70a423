import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { authRoutes } from '../../../contract/auth.ts'
import { captchaRule } from '../../../contract/rules.ts'
import type { Failure } from '../../../streams/index.ts'
import { errorCodeOf, retryAfterMsOf } from '../../api/result.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useSubmit } from '../../hooks/useSubmit.ts'
import { useWait } from '../../hooks/useWait.ts'
import { beginSession } from '../../state/session.ts'
import { useFields } from '../../features/forms/useFields.ts'
import { useWork } from '../../features/work/useWork.ts'

/**
 * The login form: after three failures the venue requires a verification code, after more of them, also of others, work that
 * the device does before an attempt.
 */
export function useLogin(initialAccount: string) {
  const call = useCall()
  const { t } = useTranslation()
  const [isCaptchaRequired, setCaptchaRequired] = useState(false)
  /** A picture is valid once: each attempt needs a new one. */
  const [picture, setPicture] = useState(0)
  const [captchaId, setCaptchaId] = useState<string>()
  /** The login that waits for its second step. */
  const [loginId, setLoginId] = useState<string>()
  const [waitMs, wait] = useWait()
  const [sendWithWork, isWorking] = useWork()
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
  const [send, busy, problem, setProblem] = useSubmit(async (form: HTMLFormElement) => {
    if (waitMs > 0 || !fields.validate(form)) return undefined
    const { account, password, captcha } = fields.texts
    const captchaAnswer = isCaptchaRequired && captchaId !== undefined ? { captchaId, captcha } : {}
    const body = { account: account.trim(), password, ...captchaAnswer }
    const result = await sendWithWork((work) => call(authRoutes.login, { body: { ...body, ...work } }))
    if (result.ok) return beginSession(result.value)
    const retryAfterMs = retryAfterMsOf(result.failure)
    if (retryAfterMs !== undefined) {
      // The input and the picture stay: the venue did not check them.
      return wait(retryAfterMs)
    }
    const code = errorCodeOf(result)
    if (code === 'SECOND_FACTOR_REQUIRED') return setLoginId(loginIdOf(result.failure))
    renewPicture()
    fields.set('captcha', '')
    if (code === 'CAPTCHA_REQUIRED') return setCaptchaRequired(true)
    if (code !== 'CAPTCHA_WRONG') return result.failure
    return fields.showServerErrors(form, { captcha: t('error.CAPTCHA_WRONG') })
  })
  return {
    fields,
    send,
    busy,
    isWorking,
    problem,
    clearProblem: () => setProblem(undefined),
    waitMs,
    /** The wait may apply to one account only: another one may be tried at once. */
    endWait: () => wait(0),
    loginId,
    backToPassword: (text?: string) => {
      setLoginId(undefined)
      fields.set('password', '')
      setProblem(text)
    },
    captcha: isCaptchaRequired ? { picture, renewPicture, setCaptchaId } : undefined,
  }
}
export type LoginFormState = ReturnType<typeof useLogin>

/** The login that the password began, whose second step is next. */
function loginIdOf(failure: Failure): string | undefined {
  const loginId = failure.kind === 'rejected' ? failure.params['loginId'] : undefined
  return typeof loginId === 'string' ? loginId : undefined
}
