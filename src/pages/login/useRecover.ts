import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { accountRule } from '../../../contract/rules.ts'
import { authRoutes } from '../../../contract/auth.ts'
import { failureText, fieldText, fieldTexts } from '../../api/failureText.ts'
import type { PasswordKind } from '../../features/account/passwordKind.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useFields } from '../../features/forms/useFields.ts'
import { usePhone } from './usePhone.ts'

/** The request for a reset: account and phone, and its submit function. */
export function useRecover(kind: PasswordKind, onSent: () => void) {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  const phone = usePhone()
  const [problem, setProblem] = useState<string>()
  const fields = useFields(
    { account: '', country: '', phone: '' },
    {
      account: ({ account }) => fieldText(t, format, accountRule(account), t('login.enterAccount')),
      country: () => undefined,
      phone: (texts) => phone.validate(texts),
    },
  )
  const [send, busy] = useAction(async (form: HTMLFormElement) => {
    setProblem(undefined)
    if (!fields.validate(form)) return
    const body = { kind, account: fields.texts.account, ...phone.body(fields.texts) }
    const result = await call(authRoutes.recoverPassword, { body })
    if (result.ok) return onSent()
    const texts = fieldTexts(t, format, result.failure)
    if (Object.keys(texts).length > 0) fields.showServerErrors(form, texts)
    else setProblem(failureText(t, format, result.failure))
  })
  return { fields, phone, send, busy, problem }
}
