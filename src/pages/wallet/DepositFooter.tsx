import { useTranslation } from 'react-i18next'
import { useFormat } from '../../hooks/useFormat.ts'
import { SubmitButton } from '../../shell/SubmitButton.tsx'
import { Problem } from './Problem.tsx'
import type { DepositState } from './useDeposit.ts'
import styles from './Wallet.module.css'

/** The one button of a deposit: it says how much, or why it is off, or that an answer is still missing. */
export function DepositFooter({ form, formId }: { form: DepositState; formId: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { amount, proof, state, outOfRange } = form
  const { value } = amount
  const sending = proof.photo.state === 'sending' || proof.photo.state === 'preparing'
  const disabledReason = outOfRange
    ? t('deposit.correctAmount')
    : sending
      ? t('deposit.waitingForProof')
      : undefined
  const label =
    value === undefined || outOfRange
      ? t('title.deposit')
      : t('deposit.submit', { amount: format.money(value) })
  return (
    <>
      <Problem text={form.problem} />
      <div role="status">
        {form.answerLost && (
          <p className={styles.open}>{t(state === 'open' ? 'wallet.stillOpen' : 'wallet.lost')}</p>
        )}
      </div>
      <SubmitButton form={formId} busy={state === 'sending'} disabledReason={disabledReason}>
        {state === 'open' ? t('wallet.askAgain') : label}
      </SubmitButton>
    </>
  )
}
