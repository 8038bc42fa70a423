import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import type { Minor } from '../../../contract/brand.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { Withdrawal, WithdrawalAccount } from '../../../contract/withdrawals.ts'
import { withdrawalRoutes } from '../../../contract/withdrawals.ts'
import { codeText, failureText } from '../../api/failureText.ts'
import { call } from '../../api/venue.ts'
import type { Format } from '../../format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import type { Failure } from '../../../streams/index.ts'
import { useAmount } from './useAmount.ts'
import { isOutcomeUnknown } from './idempotentRequest.ts'
import { useIdempotentRequest } from './useIdempotentRequest.ts'

type Body = { amount: string; accountId: string; transactionPassword: string }
type Faults = { amount?: string | undefined; transactionPassword?: string | undefined }

/** The refusals that are about one field, and shown at it. */
const fieldOf: Record<string, keyof Faults> = {
  INSUFFICIENT_BALANCE: 'amount',
  TRANSACTION_PASSWORD_WRONG: 'transactionPassword',
  TRANSACTION_PASSWORD_LOCKED: 'transactionPassword',
}

export type WithdrawOptions = {
  available: Minor
  /** Called with every definite answer. */
  onAnswer: (answer: { done: Withdrawal } | { rejected: Failure }) => void
}

/** The form of a withdrawal: amount and password, looked over once more, then sent under one key. */
export function useWithdraw({ available, onAnswer }: WithdrawOptions) {
  const { t } = useTranslation()
  const format = useFormat()
  const amount = useAmount(available)
  const [password, setPassword] = useState('')
  const [faults, setFaults] = useState<Faults>({})
  const [problem, setProblem] = useState<string>()
  /** What is being looked over or sent. */
  const [draft, setDraft] = useState<Body>()
  /** What was looked over last: while its outcome is open, nothing else is. */
  const [lastDraft, setLastDraft] = useState<Body>()
  const [send, state, answerLost] = useIdempotentRequest((body: Body, key: string) =>
    call(withdrawalRoutes.placeWithdrawal, { body }, { key }),
  )
  // An amount whose outcome is open may be held already, and then is no longer available.
  const over = state === 'idle' && amount.value !== undefined && amount.value > available

  /** Judges the form; leads to the confirmation where it holds. */
  const review = (account: WithdrawalAccount): void => {
    setProblem(undefined)
    if (state !== 'idle') {
      setDraft(lastDraft)
      return
    }
    const empty = (text: string) => (text === '' ? codeText(t, format, 'EMPTY') : undefined)
    const wrong = { amount: empty(amount.text), transactionPassword: empty(password) }
    setFaults(wrong)
    const unchanged = amount.commitAmount()
    if (wrong.amount !== undefined || wrong.transactionPassword !== undefined || !unchanged) return
    if (amount.value === undefined || over) return
    const body = { amount: formatMoney(amount.value), accountId: account.id, transactionPassword: password }
    setDraft(body)
    setLastDraft(body)
  }
  const confirm = async (): Promise<void> => {
    const result = draft && (await send(draft))
    if (result === undefined) return
    if (result.ok) {
      onAnswer({ done: result.value })
      return
    }
    const { failure } = result
    if (isOutcomeUnknown(failure)) return
    setDraft(undefined)
    const named = faultsOf(t, format, failure)
    if (named === undefined) setProblem(failureText(t, format, failure))
    else {
      setFaults(named)
      if (named.transactionPassword !== undefined) setPassword('')
    }
    onAnswer({ rejected: failure })
  }
  return {
    amount,
    over,
    password,
    setPassword: (text: string) => {
      setPassword(text)
      setFaults((before) => ({ ...before, transactionPassword: undefined }))
    },
    clearAmountFault: () => setFaults((before) => ({ ...before, amount: undefined })),
    faults,
    problem,
    draft,
    state,
    lost: answerLost,
    review,
    confirm: () => void confirm(),
    back: () => setDraft(undefined),
  }
}
export type WithdrawFormState = ReturnType<typeof useWithdraw>

/** What a refusal says of the form's fields; undefined where it is about the whole. */
function faultsOf(t: TFunction, format: Format, failure: Failure): Faults | undefined {
  if (failure.kind !== 'rejected') return undefined
  const { code, fields } = failure
  const field = fieldOf[code]
  if (field !== undefined) return { [field]: failureText(t, format, failure) }
  const worded = (name: keyof Faults) => fields[name] && codeText(t, format, fields[name])
  const named = { amount: worded('amount'), transactionPassword: worded('transactionPassword') }
  return named.amount === undefined && named.transactionPassword === undefined ? undefined : named
}
