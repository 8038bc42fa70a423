import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import type { Minor } from '../../../contract/units.ts'
import { formatMoney } from '../../../contract/money.ts'
import { withdrawalRoutes, type Withdrawal, type WithdrawalAccount } from '../../../contract/withdrawals.ts'
import { codeText, failureText } from '../../api/failureText.ts'
import { useSubmit } from '../../hooks/useSubmit.ts'
import { useCall } from '../../hooks/useCall.ts'
import type { Format } from '../../text/format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import type { Failure } from '../../../streams/index.ts'
import { usePasskeyAnswer, type PasskeyReply } from '../../features/passkeys/usePasskeyAnswer.ts'
import { useAmount } from '../../features/forms/useAmount.ts'
import { isOutcomeUnknown } from '../../features/transfers/idempotentRequest.ts'
import { useIdempotentRequest } from '../../features/transfers/useIdempotentRequest.ts'
import { usePasswordField } from '../../features/passkeys/usePasswordField.ts'
import { usePasskeyChoice } from '../../features/passkeys/usePasskeyChoice.ts'

type Body = {
  amount: string
  accountId: string
  transactionPassword?: string
  passkey?: PasskeyReply
}
type FieldErrors = { amount?: string | undefined; transactionPassword?: string | undefined }

/** Error codes that are shown at one field. */
const fieldOf: Record<string, keyof FieldErrors> = {
  INSUFFICIENT_BALANCE: 'amount',
  AWAITS_SECOND_PERSON: 'amount',
  TRANSACTION_PASSWORD_WRONG: 'transactionPassword',
  TRANSACTION_PASSWORD_LOCKED: 'transactionPassword',
}

export type WithdrawOptions = {
  available: Minor
  /** Called with every definite answer. */
  onAnswer: (answer: { done: Withdrawal } | { rejected: Failure }) => void
}

/** The state of a withdrawal form: amount and password, confirmed, then sent with one idempotency key. */
export function useWithdraw({ available, onAnswer }: WithdrawOptions) {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  const { validate, showErrors, ...fields } = useWithdrawFields(available)
  const { amount, password, isByPasskey } = fields
  const answerOf = usePasskeyAnswer()
  /** The request being confirmed or sent. */
  const [draft, setDraft] = useState<Body>()
  /** The last confirmed request: while its outcome is unknown, no other can be confirmed. */
  const [lastDraft, setLastDraft] = useState<Body>()
  const [send, state, isAnswerLost] = useIdempotentRequest((body: Body, key: string) =>
    call(withdrawalRoutes.placeWithdrawal, { body }, { key }),
  )
  // An amount with an unknown outcome may already be held, and then it is not available any more.
  const isOverAvailable = state === 'idle' && amount.value !== undefined && amount.value > available

  /** Validates the form and opens the confirmation if it is valid. */
  const review = (account: WithdrawalAccount): void => {
    setProblem(undefined)
    if (state !== 'idle') {
      setDraft(lastDraft)
      return
    }
    if (!validate() || amount.value === undefined || isOverAvailable) return
    const proof = isByPasskey ? {} : { transactionPassword: password }
    const body = { amount: formatMoney(amount.value), accountId: account.id, ...proof }
    setDraft(body)
    setLastDraft(body)
  }
  /** The request with the answer of a passkey, if the member confirms with one; a text if there is none. */
  const proven = async (body: Body): Promise<Body | string> => {
    // While an outcome is unknown the same request is sent again, whose answer is in it.
    if (body.transactionPassword !== undefined || state !== 'idle') return body
    const outcome = await answerOf('withdrawal')
    return 'answer' in outcome ? { ...body, passkey: outcome.answer } : outcome.problem
  }
  const [confirm, isConfirming, problem, setProblem] = useSubmit(async () => {
    const body = draft && (await proven(draft))
    if (typeof body === 'string') {
      setDraft(undefined)
      return body
    }
    const result = body && (await send(body))
    if (result === undefined) return undefined
    if (result.ok) return onAnswer({ done: result.value })
    const { failure } = result
    if (isOutcomeUnknown(failure)) return undefined
    setDraft(undefined)
    onAnswer({ rejected: failure })
    const errors = fieldErrorsOf(t, format, failure)
    return errors === undefined ? failure : showErrors(errors)
  })
  return {
    ...fields,
    isOverAvailable,
    problem,
    draft,
    state,
    isAnswerLost,
    review,
    confirm,
    isConfirming,
    back: () => setDraft(undefined),
  }
}
export type WithdrawFormState = ReturnType<typeof useWithdraw>

/** The amount and the transaction password, each with its error. */
function useWithdrawFields(available: Minor) {
  const { t } = useTranslation()
  const format = useFormat()
  const amount = useAmount(available)
  const { field, setPasswordError, rejectPassword } = usePasswordField()
  const choice = usePasskeyChoice()
  const isByPasskey = choice?.isPasskey === true
  const [amountError, setAmountError] = useState<string>()
  return {
    amount,
    ...field,
    choice,
    isByPasskey,
    amountError,
    clearAmountError: () => setAmountError(undefined),
    /** Shows an error at each empty field. False if one is empty, or if the amount had to be changed. */
    validate: (): boolean => {
      const required = (text: string) => (text === '' ? codeText(t, format, 'EMPTY') : undefined)
      const hasProof = isByPasskey || field.password !== ''
      setAmountError(required(amount.text))
      if (!hasProof) setPasswordError(required(''))
      return amount.commitAmount() && hasProof
    },
    /** Shows the venue's errors. A rejected password is cleared. */
    showErrors: (errors: FieldErrors): void => {
      setAmountError(errors.amount)
      if (errors.transactionPassword !== undefined) rejectPassword(errors.transactionPassword)
    },
  }
}

/** The field errors of a failure; undefined if it concerns the whole form. */
function fieldErrorsOf(t: TFunction, format: Format, failure: Failure): FieldErrors | undefined {
  if (failure.kind !== 'rejected') return undefined
  const { code, fields, params } = failure
  const field = fieldOf[code]
  if (field !== undefined) return { [field]: failureText(t, format, failure) }
  const fieldError = (name: keyof FieldErrors) => fields[name] && codeText(t, format, fields[name], params)
  const errors = { amount: fieldError('amount'), transactionPassword: fieldError('transactionPassword') }
  return errors.amount === undefined && errors.transactionPassword === undefined ? undefined : errors
}
