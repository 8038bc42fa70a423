import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { authRoutes } from '../../../contract/auth.ts'
import { captchaRule } from '../../../contract/rules.ts'
import { failureText } from '../../api/failureText.ts'
import { call } from '../../api/venue.ts'
import { errorCodeOf, retryAfterMsOf } from '../../api/result.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useVenueConfig } from '../../hooks/useVenueConfig.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useWait } from '../../hooks/useWait.ts'
import { useQuery } from '../../router/useQuery.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { beginSession } from '../../state/session.ts'
import { Field, TextLink } from '../../ui/index.ts'
import { ServiceSentence } from '../../features/content/ServiceSentence.tsx'
import { CaptchaField } from './CaptchaField.tsx'
import { FormPage } from './FormPage.tsx'
import { useFields } from '../../features/forms/useFields.ts'

/**
 * Log in. After three failures the venue requires a verification code, after more of them a wait between two attempts.
 * The shell redirects once there is a session.
 */
export function Login() {
  const { t } = useTranslation()
  const format = useFormat()
  const [query] = useQuery()
  const [isCaptchaRequired, setCaptchaRequired] = useState(false)
  /** A picture is valid once: each attempt needs a new one. */
  const [picture, setPicture] = useState(0)
  const [captchaId, setCaptchaId] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [waitMs, wait] = useWait()
  const fields = useFields(
    { account: query.get('account') ?? '', password: '', captcha: '' },
    {
      account: ({ account }) => (account.trim() === '' ? t('login.enterAccount') : undefined),
      password: ({ password }) => (password === '' ? t('login.enterPassword') : undefined),
      captcha: ({ captcha }) => {
        const code = isCaptchaRequired ? captchaRule(captcha) : undefined
        return code && (code === 'REQUIRED' ? t('login.enterCaptcha') : t(`error.${code}`))
      },
    },
  )

  const [logIn, busy] = useAction(async (form: HTMLFormElement) => {
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
    setPicture((n) => n + 1)
    fields.set('captcha', '')
    if (code === 'CAPTCHA_REQUIRED') setCaptchaRequired(true)
    else if (code === 'CAPTCHA_WRONG') fields.showServerErrors(form, { captcha: t('error.CAPTCHA_WRONG') })
    else setProblem(failureText(t, format, result.failure))
  })

  const account = fields.bind('account')
  return (
    <FormPage
      title={t('login.title')}
      submitLabel={t('login.submit')}
      busy={busy}
      problem={waitMs > 0 ? t('login.tooManyTries') : problem}
      off={waitMs > 0 ? t('login.waitLeft', { wait: format.wait(waitMs) }) : undefined}
      onSubmit={logIn}
      foot={
        <>
          {t('login.noAccount')}{' '}
          <TextLink size={15} strong href={hrefTo(paths.registerCheck)}>
            {t('login.register')}
          </TextLink>
        </>
      }
    >
      <Field
        {...account}
        onChange={(event) => {
          // The wait may apply to the previous account only.
          wait(0)
          account.onChange(event)
        }}
        label={t('login.account')}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <Field
        {...fields.bind('password')}
        type="password"
        label={t('login.password')}
        autoComplete="current-password"
        hint={<ForgotPassword />}
        reveal={{ show: t('common.showPassword'), hide: t('common.hidePassword') }}
      />
      {isCaptchaRequired && (
        <CaptchaField
          key={picture}
          binding={fields.bind('captcha')}
          onPicture={setCaptchaId}
          onRenew={() => setPicture((n) => n + 1)}
        />
      )}
    </FormPage>
  )
}

/**
 * The conversation in the app is for members only, so a guest sees a link only if the venue's customer service is
 * elsewhere.
 */
function ForgotPassword() {
  const { t } = useTranslation()
  const hasServiceUrl = typeof useVenueConfig()?.serviceUrl === 'string'
  return hasServiceUrl ? <ServiceSentence text={t('login.forgotService')} /> : t('login.forgot')
}
