import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  passwordRule,
  passwordsMatch,
  transactionPasswordRule,
  transactionPasswordsMatch,
} from '../../../contract/rules.ts'
import type { FieldCode } from '../../../contract/errors.ts'
import { authRoutes } from '../../../contract/auth.ts'
import { codeText, failureText } from '../../api/failureText.ts'
import { errorCodeOf } from '../../api/result.ts'
import { call } from '../../api/venue.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { navigate, pathWith } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { session } from '../../state/session.ts'
import type { RegisterInfo } from '../../state/session.ts'
import { Field, Steps, toast } from '../../ui/index.ts'
import { FormPage } from './FormPage.tsx'
import { useFields } from '../../features/forms/useFields.ts'

/** Registration, step 2. Redirects to step 1 if that has not been completed. */
export function Register() {
  // Read once: it is cleared at the end, which must not redirect to step 1.
  const [info] = useState(() => session.registerInfo)
  const missing = info === null
  useEffect(() => {
    if (missing) navigate(paths.registerCheck, { replace: true })
  }, [missing])
  return info && <Passwords info={info} />
}

function Passwords({ info }: { info: RegisterInfo }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [problem, setProblem] = useState<string>()
  const errorText = (code: FieldCode | undefined, blank: string): string | undefined =>
    code && (code === 'REQUIRED' ? blank : codeText(t, format, code))
  const confirmationError = (text: string, code: FieldCode | undefined, blank: string): string | undefined =>
    text === '' ? blank : errorText(code, blank)
  const fields = useFields(
    { password: '', confirmPassword: '', transactionPassword: '', confirmTransactionPassword: '' },
    {
      password: ({ password }) => errorText(passwordRule(password, info), t('register.enterPassword')),
      confirmPassword: ({ password, confirmPassword }) =>
        confirmationError(
          confirmPassword,
          passwordsMatch(password, confirmPassword),
          t('register.enterConfirmPassword'),
        ),
      transactionPassword: ({ transactionPassword }) =>
        errorText(transactionPasswordRule(transactionPassword), t('register.enterTransactionPassword')),
      confirmTransactionPassword: ({ transactionPassword, confirmTransactionPassword }) =>
        confirmationError(
          confirmTransactionPassword,
          transactionPasswordsMatch(transactionPassword, confirmTransactionPassword),
          t('register.enterConfirmTransactionPassword'),
        ),
    },
  )

  const [send, busy] = useAction(async (form: HTMLFormElement) => {
    setProblem(undefined)
    if (!fields.validate(form)) return
    const body = { registerToken: info.registerToken, ...fields.texts }
    const result = await call(authRoutes.register, { body })
    if (result.ok) {
      toast({ text: t('register.done'), kind: 'success' })
      navigate(pathWith(paths.login, { account: info.account }), { replace: true })
      session.registerInfo = null
      return
    }
    const { failure } = result
    if (errorCodeOf(result) === 'REGISTER_TOKEN_EXPIRED') {
      toast({ text: failureText(t, format, failure), kind: 'problem' })
      navigate(paths.registerCheck, { replace: true })
      return
    }
    const fieldErrors = failure.kind === 'rejected' ? Object.entries(failure.fields) : []
    if (fieldErrors.length === 0) setProblem(failureText(t, format, failure))
    else
      fields.showServerErrors(
        form,
        Object.fromEntries(fieldErrors.map(([name, code]) => [name, codeText(t, format, code)])),
      )
  })

  const reveal = { show: t('common.showPassword'), hide: t('common.hidePassword') }
  const pinProps = {
    type: 'password',
    inputMode: 'numeric',
    maxLength: 6,
    autoComplete: 'off',
    reveal,
  } as const
  return (
    <FormPage
      step={t('register.step', { step: '2', of: '2' })}
      title={t('register.title')}
      progress={<Steps done={2} of={2} />}
      backTo={paths.registerCheck}
      submitLabel={t('register.submit')}
      busy={busy}
      problem={problem}
      onSubmit={send}
    >
      <input type="hidden" name="username" autoComplete="username" value={info.account} />
      <Field
        {...fields.bind('password')}
        type="password"
        label={t('register.password')}
        hint={t('password.loginHint')}
        autoComplete="new-password"
        reveal={reveal}
      />
      <Field
        {...fields.bind('confirmPassword')}
        type="password"
        label={t('register.confirmPassword')}
        autoComplete="new-password"
        reveal={reveal}
      />
      <Field
        {...fields.bind('transactionPassword')}
        {...pinProps}
        label={t('register.transactionPassword')}
        hint={t('password.transactionHint')}
      />
      <Field
        {...fields.bind('confirmTransactionPassword')}
        {...pinProps}
        label={t('register.confirmTransactionPassword')}
      />
    </FormPage>
  )
}
