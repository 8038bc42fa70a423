import { useTranslation } from 'react-i18next'
import { firstInvalid } from '../../features/forms/firstInvalid.ts'
import { Button, KeyValues, Sheet } from '../../ui/index.ts'
import { hourMs } from '../../../contract/time.ts'
import { useCountryName } from '../../hooks/useCountries.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useMinute } from '../../hooks/useMinute.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { useLastDefined } from '../../hooks/useLastDefined.ts'
import type { BindDetails } from './bindDetails.ts'
import styles from './Wallet.module.css'
import { inGroups } from './walletLabels.ts'

export type BindConfirmProps = {
  /** The details to confirm; undefined while the sheet is closed. */
  details: BindDetails | undefined
  busy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Confirms the details: afterwards only customer service can change them. */
export function BindConfirm({ details, busy, onConfirm, onCancel }: BindConfirmProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const now = useMinute()
  const countryName = useCountryName()
  const restHours = useVenueConfig()?.withdrawalRestHours ?? 0
  const shown = useLastDefined(details)
  if (shown === undefined) return null
  const typeSpecific =
    shown.type === 'bank'
      ? [
          { key: 'bank', label: t('account.bank'), value: shown.bank },
          { key: 'cardNumber', label: t('account.cardNumber'), value: inGroups(shown.cardNumber) },
          { key: 'accountAddress', label: t('account.accountAddress'), value: shown.accountAddress },
        ]
      : [
          { key: 'currency', label: t('account.currency'), value: shown.currency },
          { key: 'currencyAddress', label: t('account.currencyAddress'), value: shown.currencyAddress },
          ...(shown.memo === undefined ? [] : [{ key: 'memo', label: t('account.memo'), value: shown.memo }]),
        ]
  return (
    <Sheet
      open={details !== undefined}
      onClose={onCancel}
      title={t('account.confirmTitle')}
      closeLabel={t('common.close')}
      locked={busy}
      focusAfter={firstInvalid}
      footer={
        <Button block size="large" busy={busy} onClick={onConfirm}>
          {t('account.confirm')}
        </Button>
      }
    >
      <KeyValues
        items={[
          { key: 'accountName', label: t('account.accountName'), value: shown.accountName },
          { key: 'nationality', label: t('account.nationality'), value: countryName(shown.nationality) },
          ...typeSpecific,
        ]}
      />
      <p className={styles.note}>{t('account.confirmText')}</p>
      {restHours > 0 && now > 0 && (
        <p className={styles.note}>
          {t('account.confirmRest', { endsAt: format.dateTimeShort(now + restHours * hourMs) })}
        </p>
      )}
    </Sheet>
  )
}
