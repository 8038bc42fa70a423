import { useTranslation } from 'react-i18next'
import type { WithdrawalAccount } from '../../../contract/withdrawals.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { Button, Stat, KeyValues, Sheet } from '../../ui/index.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import { AccountLines } from './AccountLines.tsx'
import { firstInvalid } from '../../features/forms/firstInvalid.ts'
import { useLastDefined } from '../../hooks/useLastDefined.ts'
import type { WithdrawFormState } from './useWithdraw.ts'
import styles from './Wallet.module.css'

/** Confirms a withdrawal before the money is held. If an answer was lost, the same request is sent again. */
export function WithdrawConfirm({ form, account }: { form: WithdrawFormState; account: WithdrawalAccount }) {
  const { t } = useTranslation()
  const format = useFormat()
  const currency = useVenueConfig()?.currency
  const shown = useLastDefined(form.draft)
  if (shown === undefined) return null
  const amount = format.money(shown.amount)
  return (
    <Sheet
      open={form.draft !== undefined}
      onClose={form.back}
      title={t('withdraw.confirmTitle')}
      closeLabel={t('common.close')}
      locked={form.isConfirming}
      focusAfter={firstInvalid}
      footer={
        <>
          <div role="status">
            {form.isAnswerLost && (
              <p className={styles.open}>
                {t(form.state === 'unknown' ? 'wallet.stillOpen' : 'wallet.lost')}
              </p>
            )}
          </div>
          <Button block size="large" busy={form.isConfirming} onClick={form.confirm}>
            {form.state === 'unknown' ? t('wallet.askAgain') : t('withdraw.confirm', { amount })}
          </Button>
        </>
      }
    >
      <div className={styles.labelLine}>
        <Stat size={36} unit={currency}>
          {amount}
        </Stat>
        <PracticeBadge />
      </div>
      <KeyValues
        items={[
          {
            key: 'to',
            label: t('withdraw.to'),
            value: <AccountLines account={account} />,
          },
          { key: 'fee', label: t('withdraw.fee'), value: t('withdraw.noFee') },
          { key: 'receive', label: t('withdraw.receive'), value: amount },
        ]}
      />
      <p className={styles.note}>{t('withdraw.confirmText')}</p>
    </Sheet>
  )
}
