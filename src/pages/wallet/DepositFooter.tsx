import { useTranslation } from 'react-i18next'
import { useFormat } from '../../hooks/useFormat.ts'
import { SubmitButton } from '../../shell/SubmitButton.tsx'
import { Problem } from '../../features/forms/Problem.tsx'
import type { DepositState } from './useDeposit.ts'
import styles from './Wallet.module.css'

/** The submit button of a deposit: with the amount, the reason it is disabled, or a note that the answer is missing. */
export function DepositFooter({ form, formId }: { form: DepositState; formId: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { amount, proof, state, isOutOfRange } = form
  const { value } = amount
  const isUploading = proof.photo.state === 'sending' || proof.photo.state === 'preparing'
  const disabledReason = isOutOfRange
    ? t('deposit.correctAmount')
    : isUploading
      ? t('deposit.waitingForProof')
      : undefined
  const label =
    value === undefined || isOutOfRange
      ? t('title.deposit')
      : t('deposit.submit', { amount: format.money(value) })
  return (
    <>
      <Problem text={form.problem} />
      <div role="status">
        {form.isAnswerLost && (
          <p className={styles.open}>{t(state === 'unknown' ? 'wallet.stillOpen' : 'wallet.lost')}</p>
        )}
      </div>
      <SubmitButton form={formId} busy={state === 'sending'} disabledReason={disabledReason}>
        {state === 'unknown' ? t('wallet.askAgain') : label}
      </SubmitButton>
    </>
  )
}
