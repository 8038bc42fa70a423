import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { minor } from '../../../contract/brand.ts'
import type { Minor } from '../../../contract/brand.ts'
import { amountMax } from '../../../contract/constants.ts'
import { formatMoney, moneyOf } from '../../../contract/money.ts'
import type { DepositMethod } from '../../../contract/deposits.ts'
import { depositRoutes } from '../../../contract/deposits.ts'
import { codeText, failureText } from '../../api/failureText.ts'
import { call } from '../../api/venue.ts'
import type { Format } from '../../format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { paths } from '../../paths.ts'
import { navigate } from '../../router/hashLocation.ts'
import type { Failure } from '../../../streams/index.ts'
import { toast } from '../../ui/index.ts'
import { usePhoto } from '../verify/usePhoto.ts'
import { isOutcomeUnknown } from './idempotentRequest.ts'
import { useAmount } from './useAmount.ts'
import { useIdempotentRequest } from './useIdempotentRequest.ts'

type Body = { methodId: string; amount: string; proofUploadId?: string }

/** The form of a deposit by one way: the amount, a picture of the payment where there is one, sent under one key. */
export function useDeposit(method: DepositMethod) {
  const { t } = useTranslation()
  const format = useFormat()
  const most = minor(Math.min(moneyOf(method.max), amountMax))
  const least = moneyOf(method.min)
  const [fault, setFault] = useState<string>()
  const amount = useAmount(most, '', () => setFault(undefined))
  const proof = usePhoto('deposit_proof')
  const [problem, setProblem] = useState<string>()
  const [send, state, answerLost] = useIdempotentRequest((body: Body, key: string) =>
    call(depositRoutes.placeDeposit, { body }, { key }),
  )
  const { value } = amount
  const outOfRange = value === undefined ? undefined : rangeFault(t, format, value, least, most)

  const submit = async (): Promise<void> => {
    setProblem(undefined)
    if (value === undefined) {
      setFault(codeText(t, format, 'EMPTY'))
      return
    }
    if (!amount.commitAmount() || outOfRange !== undefined) return
    const { photo } = proof
    const result = await send({
      methodId: method.id,
      amount: formatMoney(value),
      ...(photo.state === 'sent' ? { proofUploadId: photo.uploadId } : {}),
    })
    if (result === undefined) return
    if (!result.ok) {
      if (!isOutcomeUnknown(result.failure)) showFailure(result.failure)
      return
    }
    const sum = format.money(result.value.amount)
    const credited = result.value.status === 'successful'
    toast({ kind: 'success', text: t(credited ? 'deposit.credited' : 'deposit.submitted', { amount: sum }) })
    navigate(paths.deposits, { replace: true })
  }
  function showFailure(failure: Failure): void {
    if (failure.kind === 'rejected' && failure.fields['proofUploadId'] !== undefined) proof.cancel()
    const text = amountFault(t, format, failure)
    if (text === undefined) setProblem(failureText(t, format, failure))
    else setFault(text)
  }
  return {
    amount,
    most,
    least,
    /** What is wrong with the amount, in words. */
    fault: fault ?? outOfRange,
    outOfRange: outOfRange !== undefined,
    proof,
    problem,
    state,
    answerLost,
    submit: () => void submit(),
  }
}
export type DepositState = ReturnType<typeof useDeposit>

/** What a refusal says of the amount; undefined where it is about something else. */
function amountFault(t: TFunction, format: Format, failure: Failure): string | undefined {
  if (failure.kind !== 'rejected') return undefined
  const { code, params, fields } = failure
  const { max } = params
  if (code === 'SELF_LIMIT' && typeof max === 'string') {
    return t('deposit.selfLimit', { max: format.money(max) })
  }
  if (code === 'DEPOSIT_LIMIT') return codeText(t, format, code, params)
  return fields['amount'] && codeText(t, format, fields['amount'], params)
}

/** What is wrong with an amount outside of what the way takes. */
function rangeFault(
  t: TFunction,
  format: Format,
  value: Minor,
  least: Minor,
  most: Minor,
): string | undefined {
  if (value > most) return t('error.AMOUNT_MAX', { max: format.money(most) })
  // Nothing yet: on leaving the field it becomes the least.
  return value > 0 && value < least ? t('error.AMOUNT_MIN', { min: format.money(least) }) : undefined
}
