import { useTranslation } from 'react-i18next'
import { accountRule } from '../../../contract/rules.ts'
import { authRoutes } from '../../../contract/auth.ts'
import { fieldText } from '../../api/failureText.ts'
import type { PasswordKind } from '../../features/account/passwordKind.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useSubmit } from '../../hooks/useSubmit.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useFields } from '../../features/forms/useFields.ts'
import { useWork } from '../../features/work/useWork.ts'
import { usePhone } from './usePhone.ts'

/** The request for a reset: account and phone, and its submit function. */
export function useRecover(kind: PasswordKind, onSent: () => void) {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  const phone = usePhone()
  const [sendWithWork, isWorking] = useWork()
  const fields = useFields(
    { account: '', country: '', phone: '' },
    {
      account: ({ account }) => fieldText(t, format, accountRule(account), t('login.enterAccount')),
      country: () => undefined,
      phone: (texts) => phone.validate(texts),
    },
  )
  const [send, busy, problem] = useSubmit(async (form: HTMLFormElement) => {
    if (!fields.validate(form)) return undefined
    const body = { kind, account: fields.texts.account, ...phone.body(fields.texts) }
    const result = await sendWithWork((work) =>
      call(authRoutes.recoverPassword, { body: { ...body, ...work } }),
    )
    return result.ok ? onSent() : fields.showFailure(form, result.failure)
  })
  return { fields, phone, send, busy, isWorking, problem }
}
