import { useTranslation } from 'react-i18next'
import type { BindAccount } from '../../../contract/withdrawals.ts'
import { Button, KeyValues, Sheet } from '../../ui/index.ts'
import { useLastDefined } from './useLastDefined.ts'
import styles from './Wallet.module.css'

export type BindConfirmProps = {
  /** What was entered; undefined while nothing is asked. */
  details: BindAccount | undefined
  busy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** A last look at what was entered: afterwards only customer service can change it. */
export function BindConfirm({ details, busy, onConfirm, onCancel }: BindConfirmProps) {
  const { t } = useTranslation()
  const shown = useLastDefined(details)
  if (shown === undefined) return null
  const entered =
    shown.type === 'bank'
      ? [
          { key: 'bank', label: t('account.bank'), value: shown.bank },
          { key: 'cardNumber', label: t('account.cardNumber'), value: shown.cardNumber },
          { key: 'accountAddress', label: t('account.accountAddress'), value: shown.accountAddress },
        ]
      : [
          { key: 'currency', label: t('account.currency'), value: shown.currency },
          { key: 'currencyAddress', label: t('account.currencyAddress'), value: shown.currencyAddress },
        ]
  return (
    <Sheet
      open={details !== undefined}
      onClose={onCancel}
      title={t('account.confirmTitle')}
      closeLabel={t('common.close')}
      locked={busy}
      footer={
        <Button block size="large" busy={busy} onClick={onConfirm}>
          {t('account.confirm')}
        </Button>
      }
    >
      <KeyValues
        items={[
          { key: 'accountName', label: t('account.accountName'), value: shown.accountName },
          ...entered,
        ]}
      />
      <p className={styles.note}>{t('account.confirmText')}</p>
    </Sheet>
  )
}
