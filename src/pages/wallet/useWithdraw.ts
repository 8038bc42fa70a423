import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Minor } from '../../../contract/brand.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { Withdrawal, WithdrawalAccount } from '../../../contract/wallet.ts'
import { walletRoutes } from '../../../contract/wallet.ts'
import { codeText, failureText } from '../../api/failureText.ts'
import { call } from '../../api/venue.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import type { Failure } from '../../../streams/index.ts'
import { useAmount } from './useAmount.ts'
import { isOpen } from './keyed.ts'
import { useKeyed } from './useKeyed.ts'

type Body = { amount: string; accountId: string; transactionPassword: string }
type Faults = { amount?: string | undefined; transactionPassword?: string | undefined }

/** The refusals that are about one field, and shown at it. */
const fieldOf: Record<string, keyof Faults> = {
  INSUFFICIENT_BALANCE: 'amount',
  TRANSACTION_PASSWORD_WRONG: 'transactionPassword',
  TRANSACTION_PASSWORD_LOCKED: 'transactionPassword',
}

export type WithdrawParts = {
  available: Minor
  /** Called with every definite answer. */
  onAnswer: (answer: { done: Withdrawal } | { refused: Failure }) => void
}

/** The form of a withdrawal: amount and password, looked over once more, then sent under one key. */
export function useWithdraw({ available, onAnswer }: WithdrawParts) {
  const { t } = useTranslation()
  const format = useFormat()
  const amount = useAmount(available)
  const [password, setPassword] = useState('')
  const [faults, setFaults] = useState<Faults>({})
  const [problem, setProblem] = useState<string>()
  /** What is being looked over or sent. */
  const [asked, setAsked] = useState<Body>()
  const [send, state, lost] = useKeyed((body: Body, key: string) =>
    call(walletRoutes.placeWithdrawal, { body }, { key }),
  )
  const over = amount.value !== undefined && amount.value > available

  /** Judges the form; leads to the confirmation where it holds. */
  const review = (account: WithdrawalAccount): void => {
    setProblem(undefined)
    const empty = (text: string) => (text === '' ? codeText(t, format, 'EMPTY') : undefined)
    const wrong = { amount: empty(amount.text), transactionPassword: empty(password) }
    setFaults(wrong)
    const kept = amount.settle()
    if (wrong.amount !== undefined || wrong.transactionPassword !== undefined || !kept) return
    if (amount.value === undefined || over) return
    setAsked({ amount: formatMoney(amount.value), accountId: account.id, transactionPassword: password })
  }
  const confirm = async (): Promise<void> => {
    const result = asked && (await send(asked))
    if (result === undefined) return
    if (result.ok) {
      onAnswer({ done: result.value })
      return
    }
    const { failure } = result
    if (isOpen(failure)) return
    setAsked(undefined)
    refuse(failure)
    onAnswer({ refused: failure })
  }
  function refuse(failure: Failure): void {
    const code = failure.kind === 'refused' ? failure.code : ''
    const field = fieldOf[code]
    const text = failureText(t, format, failure)
    const told = failure.kind === 'refused' ? failure.fields : {}
    const named = (name: string) => told[name] && codeText(t, format, told[name])
    if (field) setFaults({ [field]: text })
    else if (told['amount'] ?? told['transactionPassword']) {
      setFaults({ amount: named('amount'), transactionPassword: named('transactionPassword') })
    } else setProblem(text)
    if (field === 'transactionPassword') setPassword('')
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
    asked,
    state,
    lost,
    review,
    confirm: () => void confirm(),
    back: () => setAsked(undefined),
  }
}
export type WithdrawForm = ReturnType<typeof useWithdraw>
