import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withdrawalRoutes } from '../../../contract/withdrawals.ts'
import { codeText, failureText } from '../../api/failureText.ts'
import type { Failure } from '../../../streams/index.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useSubmit } from '../../hooks/useSubmit.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { paths } from '../../paths.ts'
import { goBack } from '../../router/scrollRestoration.ts'
import { toast } from '../../ui/index.ts'
import { usePasskeyAnswer } from '../../features/passkeys/usePasskeyAnswer.ts'
import { useFields, type FieldRule } from '../../features/forms/useFields.ts'
import {
  validateBindDetails,
  noTexts,
  type AccountType,
  type BindDetails,
  type BindField,
} from './bindDetails.ts'
import { usePasskeyChoice } from '../../features/passkeys/usePasskeyChoice.ts'

/** The state of the withdrawal account form: validated by field, confirmed, then bound. */
export function useBind(onFinished: () => void) {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  const [type, setType] = useState<AccountType>('bank')
  const [confirming, setConfirming] = useState<{ details: BindDetails; form: HTMLFormElement }>()
  const choice = usePasskeyChoice()
  const isByPasskey = choice?.isPasskey === true
  const answerOf = usePasskeyAnswer()
  const rule =
    (name: BindField): FieldRule<BindField> =>
    (texts) => {
      const validation = validateBindDetails(type, texts, isByPasskey)
      const code = 'errors' in validation ? validation.errors[name] : undefined
      return code && codeText(t, format, code)
    }
  const names = Object.keys(noTexts) as BindField[]
  const rules = Object.fromEntries(names.map((name) => [name, rule(name)]))
  const fields = useFields<BindField>(noTexts, rules as Record<BindField, FieldRule<BindField>>)
  const check = (form: HTMLFormElement): void => {
    setProblem(undefined)
    if (!fields.validate(form)) return
    const validation = validateBindDetails(type, fields.texts, isByPasskey)
    if ('details' in validation) setConfirming({ details: validation.details, form })
  }
  const [bind, busy, problem, setProblem] = useSubmit(async () => {
    if (!confirming) return undefined
    const outcome = isByPasskey ? await answerOf('withdrawalAccount') : undefined
    if (outcome !== undefined && 'problem' in outcome) {
      setConfirming(undefined)
      return outcome.problem
    }
    const body = { ...confirming.details, ...(outcome && { passkey: outcome.answer }) }
    const result = await call(withdrawalRoutes.bindAccount, { body })
    setConfirming(undefined)
    if (result.ok) {
      toast({ kind: 'success', text: t('account.bound') })
      return goBack(paths.account)
    }
    // The answer may be lost, or another device may have bound an account: reload to see.
    onFinished()
    const { failure } = result
    if (!isPasswordFailure(failure)) return fields.showFailure(confirming.form, failure)
    return fields.showServerErrors(confirming.form, { transactionPassword: failureText(t, format, failure) })
  })
  return {
    type,
    setType,
    fields,
    choice,
    check,
    confirming: confirming?.details,
    cancel: () => setConfirming(undefined),
    bind,
    busy,
    problem,
  }
}
const isPasswordFailure = (failure: Failure): boolean =>
  failure.kind === 'rejected' &&
  (failure.code === 'TRANSACTION_PASSWORD_WRONG' || failure.code === 'TRANSACTION_PASSWORD_LOCKED')

export type BindFormState = ReturnType<typeof useBind>
