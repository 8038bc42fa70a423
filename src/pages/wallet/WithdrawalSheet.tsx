import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { withdrawalRoutes, type Withdrawal } from '../../../contract/withdrawals.ts'
import { failureText } from '../../api/failureText.ts'
import { useCall } from '../../hooks/useCall.ts'
import type { Format } from '../../text/format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { Button, ConfirmDialog, toast } from '../../ui/index.ts'
import { AccountLines } from './AccountLines.tsx'
import { CopyNumber } from '../../features/copy/CopyNumber.tsx'
import { RecordSheet } from './RecordSheet.tsx'
import type { TimelineNode } from '../../features/transfers/Timeline.tsx'
import { useIdempotentRequest } from '../../features/transfers/useIdempotentRequest.ts'
import { useLastDefined } from '../../hooks/useLastDefined.ts'

export type WithdrawalSheetProps = {
  withdrawal: Withdrawal | undefined
  onClose: () => void
  onChanged: (withdrawal: Withdrawal) => void
}

/** One withdrawal: its status, its destination and, while it is under review, a cancel button. */
export function WithdrawalSheet({ withdrawal, onClose, onChanged }: WithdrawalSheetProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const shown = useLastDefined(withdrawal)
  if (shown === undefined) return null
  const { account, amount, no, status, reason, reference } = shown
  return (
    <RecordSheet
      open={withdrawal !== undefined}
      onClose={onClose}
      title={t('withdraw.one')}
      amount={format.money(amount)}
      status={status}
      reason={reason}
      nodes={withdrawalTimeline(t, format, shown)}
      facts={[
        { key: 'to', label: t('withdraw.to'), value: <AccountLines account={account} /> },
        { key: 'fee', label: t('withdraw.fee'), value: t('withdraw.noFee') },
        {
          key: 'no',
          label: t('wallet.number'),
          value: <CopyNumber text={no} label={t('wallet.number')} />,
        },
        ...(reference === null ? [] : [bankReference(t, reference)]),
      ]}
      {...(status === 'under_review'
        ? { footer: <CancelWithdrawal key={shown.id} withdrawal={shown} onChanged={onChanged} /> }
        : {})}
    />
  )
}

/** By which the member finds the payment at the bank. */
const bankReference = (t: TFunction, reference: string) => ({
  key: 'reference',
  label: t('withdraw.reference'),
  value: <CopyNumber text={reference} label={t('withdraw.reference')} />,
})

/** The past steps and, while it is under review, the next ones. */
export function withdrawalTimeline(
  t: TFunction,
  format: Pick<Format, 'dateTimeShort'>,
  { timeline, status, reason }: Pick<Withdrawal, 'timeline' | 'status' | 'reason'>,
): TimelineNode[] {
  const pastSteps = timeline.map(({ at, step }): TimelineNode => {
    const hasFailed = step === 'refused' || step === 'cancelled'
    const returnedText = hasFailed ? t('withdraw.returned') : undefined
    const outcomeCaption =
      returnedText !== undefined && step === 'refused' && reason !== null
        ? t('common.sentences', { first: reason, second: returnedText })
        : returnedText
    return {
      key: step,
      title: t(`withdraw.step.${step}`),
      when: format.dateTimeShort(at),
      state: hasFailed ? 'failed' : 'done',
      ...(step === 'requested'
        ? { caption: t('withdraw.held') }
        : outcomeCaption === undefined
          ? {}
          : { caption: outcomeCaption }),
    }
  })
  if (status !== 'under_review') return pastSteps
  return [
    ...pastSteps,
    { key: 'review', title: t('wallet.status.under_review'), caption: t('withdraw.byService'), state: 'now' },
    { key: 'paid', title: t('withdraw.step.paid'), state: 'ahead' },
  ]
}

function CancelWithdrawal({
  withdrawal,
  onChanged,
}: {
  withdrawal: Withdrawal
  onChanged: (withdrawal: Withdrawal) => void
}) {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  const [isConfirming, setIsConfirming] = useState(false)
  const { id } = withdrawal
  const [send, state] = useIdempotentRequest((_: undefined, key: string) =>
    call(withdrawalRoutes.cancelWithdrawal, { params: { id } }, { key }),
  )
  const cancel = async () => {
    const result = await send(undefined)
    if (result === undefined) return
    if (!result.ok) toast({ kind: 'problem', text: failureText(t, format, result.failure) })
    else {
      onChanged(result.value)
      toast({ kind: 'success', text: t('withdraw.cancelled', { amount: format.money(result.value.amount) }) })
    }
    setIsConfirming(false)
  }
  return (
    <>
      <Button block variant="secondary" onClick={() => setIsConfirming(true)}>
        {t('withdraw.cancel')}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        title={t('withdraw.cancelTitle')}
        confirmLabel={t('withdraw.cancel')}
        cancelLabel={t('withdraw.keep')}
        closeLabel={t('common.close')}
        busy={state === 'sending'}
        onConfirm={() => void cancel()}
        onCancel={() => setIsConfirming(false)}
      >
        {t('withdraw.cancelText', { amount: format.money(withdrawal.amount) })}
      </ConfirmDialog>
    </>
  )
}
