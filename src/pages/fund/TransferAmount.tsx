import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { assertNever, type Minor } from '../../../contract/units.ts'
import { amountText } from '../../../contract/amount.ts'
import type { Format } from '../../text/format.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { AmountLine, TextLink } from '../../ui/index.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import type { useAmount } from '../../features/forms/useAmount.ts'
import styles from './Transfer.module.css'
import type { AmountError } from './transfer.ts'

export type TransferAmountProps = {
  amount: ReturnType<typeof useAmount>
  /** The balance to transfer from, and its name. */
  label: string
  balance: string
  /** The most that may be transferred: "use all" fills it in, and a larger amount is capped to it. */
  max: Minor
  error?: ReactNode
}

/** The amount of a transfer, and the balance it comes from. "Use all" only fills in the amount; it does not submit. */
export function TransferAmount({ amount, label, balance, max, error }: TransferAmountProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const currency = useVenueConfig()?.currency
  const id = useId()
  return (
    <div className={styles.amount}>
      <AmountLine
        {...amount.bind}
        id={id}
        label={t('fund.amount')}
        labelEnd={<PracticeBadge />}
        unit={currency}
        error={amount.unclear ?? error}
        hint={amount.capped ? t('fund.cut', { max: format.money(max) }) : undefined}
      />
      <p className={styles.available}>
        <span>
          {label} <strong>{format.money(balance)}</strong>
        </span>
        {max > 0 && (
          <TextLink strong onClick={() => amount.put(amountText(max, format.decimalMark))}>
            {t('fund.useAll')}
          </TextLink>
        )}
      </p>
    </div>
  )
}

/** The text for an {@link AmountError}. */
export function amountErrorText(t: TFunction, format: Format, error: AmountError): string {
  switch (error.kind) {
    case 'empty':
      return t('fund.enterAmount')
    case 'under':
      return t('fund.underMin', { min: format.money(error.min) })
    case 'overAvailable':
    case 'overConfirmed':
    case 'overFast':
      return t(`fund.${error.kind}`, { max: format.money(error.max) })
    default:
      return assertNever(error)
  }
}
