import { useTranslation } from 'react-i18next'
import { accountRule, openingCodeRule } from '../../../contract/rules.ts'
import { authRoutes } from '../../../contract/auth.ts'
import { failureText, fieldText } from '../../api/failureText.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useSubmit } from '../../hooks/useSubmit.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { navigate } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { session } from '../../state/session.ts'
import { useFields } from '../../features/forms/useFields.ts'
import { useWork } from '../../features/work/useWork.ts'
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
  const [sendWithWork, isWorking] = useWork()
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

  const [send, busy, problem] = useSubmit(async (form: HTMLFormElement) => {
    const body = {
      account: fields.texts.account,
      openingCode: fields.texts.openingCode,
      ...phone.body(fields.texts),
    }
    const result = await sendWithWork((work) =>
      call(authRoutes.registerCheck, { body: { ...body, ...work } }),
    )
    if (result.ok) {
      session.registerInfo = { ...body, ...result.value }
      return navigate(paths.register)
    }
    const { failure } = result
    const field = failure.kind === 'rejected' ? fieldOf[failure.code] : undefined
    if (field === undefined) return fields.showFailure(form, failure)
    return fields.showServerErrors(form, { [field]: failureText(t, format, failure) })
  })
  return { fields, rules, rule, send, busy, isWorking, problem }
}
