import { useTranslation } from 'react-i18next'
import { authRoutes } from '../../../contract/auth.ts'
import type { FieldCode } from '../../../contract/errors.ts'
import {
  passwordRule,
  passwordsMatch,
  transactionPasswordRule,
  transactionPasswordsMatch,
} from '../../../contract/rules.ts'
import { failureText, fieldText } from '../../api/failureText.ts'
import { errorCodeOf } from '../../api/result.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useSubmit } from '../../hooks/useSubmit.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { navigate, pathWith } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { session, type RegisterInfo } from '../../state/session.ts'
import { toast } from '../../ui/index.ts'
import { useFields } from '../../features/forms/useFields.ts'

/** Step 2 of a registration: the passwords with the venue's rules, and its submit function. */
export function useRegister(info: RegisterInfo) {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  const fields = usePasswordFields(info)
  const [send, busy, problem] = useSubmit(async (form: HTMLFormElement) => {
    if (!fields.validate(form)) return undefined
    const body = { registerToken: info.registerToken, ...fields.texts }
    const result = await call(authRoutes.register, { body })
    if (result.ok) {
      toast({ text: t('register.done'), kind: 'success' })
      navigate(pathWith(paths.login, { account: info.account }), { replace: true })
      session.registerInfo = null
      return undefined
    }
    const { failure } = result
    if (errorCodeOf(result) === 'REGISTER_TOKEN_EXPIRED') {
      toast({ text: failureText(t, format, failure), kind: 'problem' })
      return navigate(paths.registerCheck, { replace: true })
    }
    return fields.showFailure(form, failure)
  })
  return { fields, send, busy, problem }
}

/** Both passwords, each typed twice. */
function usePasswordFields(info: RegisterInfo) {
  const { t } = useTranslation()
  const format = useFormat()
  const errorText = (code: FieldCode | undefined, blank: string): string | undefined =>
    fieldText(t, format, code, blank)
  const confirmationError = (text: string, code: FieldCode | undefined, blank: string): string | undefined =>
    text === '' ? blank : errorText(code, blank)
  return useFields(
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
}
