import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { secondFactorRoutes } from '../../../contract/secondFactors.ts'
import { failureText } from '../../api/failureText.ts'
import { errorCodeOf, retryAfterMsOf } from '../../api/result.ts'
import { useSubmit } from '../../hooks/useSubmit.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useWait } from '../../hooks/useWait.ts'
import { beginSession } from '../../state/session.ts'
import { CodeField, TextLink } from '../../ui/index.ts'
import { useFields } from '../../features/forms/useFields.ts'
import { FormPage } from './FormPage.tsx'
import { PasskeyButton } from './PasskeyButton.tsx'
import { usePasskeyLogin } from './usePasskeyLogin.ts'

export type SecondStepProps = {
  /** The login whose password was right. */
  loginId: string
  /** Back to the password; with a text if the login has expired. */
  onBack: (problem?: string) => void
}

/** The second step of a login: a code of the authenticator app, a recovery code, or a passkey instead. */
export function SecondStep({ loginId, onBack }: SecondStepProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [isRecovery, setRecovery] = useState(false)
  const { fields, send, busy, problem, waitMs } = useSecondStep(loginId, onBack)
  const passkey = usePasskeyLogin()
  return (
    <FormPage
      title={t('login.codeTitle')}
      submitLabel={t('login.submit')}
      busy={busy}
      problem={waitMs > 0 ? t('login.tooManyTries') : (problem ?? passkey.problem)}
      off={waitMs > 0 ? t('login.waitLeft', { wait: format.wait(waitMs) }) : undefined}
      onSubmit={send}
      onBack={() => onBack()}
      alternative={<PasskeyButton busy={passkey.busy} onClick={passkey.logIn} />}
    >
      <p>{t(isRecovery ? 'login.recoveryLead' : 'login.codeLead')}</p>
      <CodeField
        key={String(isRecovery)}
        {...fields.bindValue('code')}
        label={t(isRecovery ? 'login.recoveryCode' : 'login.code')}
        ref={focus}
        maxLength={32}
        {...(isRecovery
          ? { autoCapitalize: 'characters' }
          : { inputMode: 'numeric', autoComplete: 'one-time-code' })}
        hint={
          <TextLink
            onClick={() => {
              fields.set('code', '')
              setRecovery(!isRecovery)
            }}
          >
            {t(isRecovery ? 'login.useApp' : 'login.useRecovery')}
          </TextLink>
        }
      />
    </FormPage>
  )
}

const focus = (input: HTMLInputElement | null): void => input?.focus()

function useSecondStep(loginId: string, onBack: SecondStepProps['onBack']) {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  const [waitMs, wait] = useWait()
  const fields = useFields(
    { code: '' },
    { code: ({ code }) => (code === '' ? t('login.enterCode') : undefined) },
  )
  const [send, busy, problem] = useSubmit(async (form: HTMLFormElement) => {
    if (waitMs > 0 || !fields.validate(form)) return undefined
    const result = await call(secondFactorRoutes.logInWithSecondFactor, {
      body: { loginId, code: fields.texts.code },
    })
    if (result.ok) return beginSession(result.value)
    const text = failureText(t, format, result.failure)
    const code = errorCodeOf(result)
    const retryAfterMs = retryAfterMsOf(result.failure)
    if (retryAfterMs !== undefined) return wait(retryAfterMs)
    if (code === 'CHALLENGE_EXPIRED' || code === 'BAD_CREDENTIALS') return onBack(text)
    return code === 'SECOND_FACTOR_WRONG' ? fields.showServerErrors(form, { code: text }) : text
  })
  return { fields, send, busy, problem, waitMs }
}
