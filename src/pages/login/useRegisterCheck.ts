import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { accountRule, openingCodeRule } from '../../../contract/rules.ts'
import { authRoutes } from '../../../contract/auth.ts'
import { failureText, fieldText, fieldTexts } from '../../api/failureText.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { navigate } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { session } from '../../state/session.ts'
import { useFields } from '../../features/forms/useFields.ts'
import { usePhone } from './usePhone.ts'

/** Error codes that are shown at one field. */
const fieldOf: Record<string, 'account' | 'phone' | 'openingCode'> = {
  ACCOUNT_TAKEN: 'account',
  PHONE_TAKEN: 'phone',
  OPENING_CODE_INVALID: 'openingCode',
}

/** Step 1 of a registration: its fields with the venue's rules, and its submit function. */
export function useRegisterCheck() {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  const [problem, setProblem] = useState<string>()
  const { rules, ruleOf, ...phone } = usePhone()
  const saved = session.registerInfo
  const errorText = (code: ReturnType<typeof accountRule>, blank: string): string | undefined =>
    fieldText(t, format, code, blank)
  const fields = useFields(
    {
      account: saved?.account ?? '',
      country: saved?.country ?? '',
      phone: saved?.phone ?? '',
      openingCode: saved?.openingCode ?? '',
    },
    {
      account: ({ account }) => errorText(accountRule(account), t('register.enterAccount')),
      country: () => undefined,
      phone: (texts) => phone.validate(texts),
      openingCode: ({ openingCode }) =>
        errorText(openingCodeRule(openingCode), t('register.enterOpeningCode')),
    },
  )
  const rule = ruleOf(fields.texts.country)

  const [send, busy] = useAction(async (form: HTMLFormElement) => {
    setProblem(undefined)
    const body = {
      account: fields.texts.account,
      openingCode: fields.texts.openingCode.trim(),
      ...phone.body(fields.texts),
    }
    const result = await call(authRoutes.registerCheck, { body })
    if (result.ok) {
      session.registerInfo = { ...body, ...result.value }
      navigate(paths.register)
      return
    }
    const { failure } = result
    if (failure.kind !== 'rejected') return setProblem(failureText(t, format, failure))
    const field = fieldOf[failure.code]
    const texts = fieldTexts(t, format, failure)
    if (field) fields.showServerErrors(form, { [field]: failureText(t, format, failure) })
    else if (Object.keys(texts).length > 0) fields.showServerErrors(form, texts)
    else setProblem(failureText(t, format, failure))
  })
  return { fields, rules, rule, send, busy, problem }
}
