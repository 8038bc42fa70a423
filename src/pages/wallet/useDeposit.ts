import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { minor, type Minor } from '../../../contract/units.ts'
import { amountMax } from '../../../contract/constants.ts'
import { formatMoney, moneyOf } from '../../../contract/money.ts'
import { depositRoutes, type DepositMethod } from '../../../contract/deposits.ts'
import { codeText } from '../../api/failureText.ts'
import { useCall } from '../../hooks/useCall.ts'
import type { Format } from '../../text/format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { paths } from '../../paths.ts'
import { navigate } from '../../router/hashLocation.ts'
import type { Failure } from '../../../streams/index.ts'
import { toast } from '../../ui/index.ts'
import { usePhoto } from '../../features/photos/usePhoto.ts'
import { isOutcomeUnknown } from '../../features/transfers/idempotentRequest.ts'
import { useAmount } from '../../features/forms/useAmount.ts'
import { useIdempotentRequest } from '../../features/transfers/useIdempotentRequest.ts'
import { useSubmit, type SubmitProblem } from '../../hooks/useSubmit.ts'

type Body = { methodId: string; amount: string; proofUploadId?: string }

/**
 * The state of a deposit form for one method: the amount and an optional photo of the payment, sent with one
 * idempotency key.
 */
export function useDeposit(method: DepositMethod) {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  const max = minor(Math.min(moneyOf(method.max), amountMax))
  const min = moneyOf(method.min)
  const [amountError, setAmountError] = useState<string>()
  const amount = useAmount(max, '', () => setAmountError(undefined))
  const proof = usePhoto('deposit_proof')
  const [send, state, isAnswerLost] = useIdempotentRequest((body: Body, key: string) =>
    call(depositRoutes.placeDeposit, { body }, { key }),
  )
  const { value } = amount
  const rangeError = value === undefined ? undefined : rangeErrorText(t, format, value, min, max)

  /** Shows what concerns the amount; returns the failure if it does not. */
  const showFailure = (failure: Failure): SubmitProblem => {
    if (failure.kind === 'rejected' && failure.fields['proofUploadId'] !== undefined) proof.cancel()
    const text = amountErrorText(t, format, failure)
    return text === undefined ? failure : setAmountError(text)
  }
  const [submit, , problem] = useSubmit(async () => {
    if (value === undefined) return setAmountError(codeText(t, format, 'EMPTY'))
    if (!amount.commitAmount() || rangeError !== undefined) return undefined
    const { photo } = proof
    const result = await send({
      methodId: method.id,
      amount: formatMoney(value),
      ...(photo.state === 'sent' ? { proofUploadId: photo.uploadId } : {}),
    })
    if (result === undefined) return undefined
    if (!result.ok) return isOutcomeUnknown(result.failure) ? undefined : showFailure(result.failure)
    const sum = format.money(result.value.amount)
    const isCredited = result.value.status === 'successful'
    toast({
      kind: 'success',
      text: t(isCredited ? 'deposit.credited' : 'deposit.submitted', { amount: sum }),
    })
    return navigate(paths.deposits, { replace: true })
  })
  return {
    amount,
    max,
    min,
    /** The error text of the amount. */
    amountError: amountError ?? rangeError,
    isOutOfRange: rangeError !== undefined,
    proof,
    problem,
    state,
    isAnswerLost,
    submit,
  }
}
export type DepositState = ReturnType<typeof useDeposit>

/** The error text of a rejected amount; undefined if the failure is not about the amount. */
function amountErrorText(t: TFunction, format: Format, failure: Failure): string | undefined {
  if (failure.kind !== 'rejected') return undefined
  const { code, params, fields } = failure
  const { max } = params
  if (code === 'SELF_LIMIT' && typeof max === 'string') {
    return t('deposit.selfLimit', { max: format.money(max) })
  }
  if (code === 'DEPOSIT_LIMIT') return codeText(t, format, code, params)
  return fields['amount'] && codeText(t, format, fields['amount'], params)
}

/** The error text of an amount outside the method's range. */
function rangeErrorText(
  t: TFunction,
  format: Format,
  value: Minor,
  min: Minor,
  max: Minor,
): string | undefined {
  if (value > max) return t('error.AMOUNT_MAX', { max: format.money(max) })
  // Zero is not an error yet: on blur it becomes the minimum.
  return value > 0 && value < min ? t('error.AMOUNT_MIN', { min: format.money(min) }) : undefined
}
