import { useTranslation } from 'react-i18next'
import type { Minor } from '../../../contract/brand.ts'
import { minor } from '../../../contract/brand.ts'
import { amountText, quickAmount, capAmount } from '../../../contract/amount.ts'
import { isComposing } from '../../composing.ts'
import { useAmountTyping } from '../../hooks/useAmountTyping.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { AmountField, QuickAmounts } from '../../ui/index.ts'
import styles from './Ticket.module.css'

export type TicketAmountProps = {
  value: string
  onValue: (text: string) => void
  currency: string
  /** The maximum stake of the duration. */
  max: Minor
  /** Undefined until loaded: the quick amounts are disabled then. */
  available: Minor | undefined
  invalid: boolean
  describedBy: string
  wide?: boolean
  /** On blur: whether the amount was lowered to the maximum; false again once it is changed. */
  onCapped: (isCapped: boolean) => void
}

const shares = [25, 50, 75, 100] as const

/**
 * The amount and the shares of the balance that fill it in. While typing it accepts digits and separators; on blur it
 * is normalised by the contract's rule. Filling in never submits.
 */
export function TicketAmount(props: TicketAmountProps) {
  const { value, onValue, currency, max, available, invalid, describedBy, wide = false, onCapped } = props
  const { t } = useTranslation()
  const format = useFormat()
  const put = (text: string) => {
    onCapped(false)
    onValue(text)
  }
  const { mark, bind } = useAmountTyping(put)
  const commitAmount = () => {
    const committed = capAmount(value, max, mark)
    onCapped(committed.capped)
    onValue(committed.text)
  }
  return (
    <div className={styles.amount}>
      <AmountField
        label={wide ? t('ticket.note.amount') : t('ticket.amountIn', { unit: currency })}
        unit={wide ? currency : undefined}
        value={value}
        placeholder={amountText(minor(0), mark)}
        invalid={invalid}
        aria-describedby={describedBy}
        {...bind}
        onBlur={commitAmount}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !isComposing(event.nativeEvent)) event.currentTarget.blur()
        }}
      />
      <QuickAmounts
        label={t('ticket.quick')}
        items={shares.map((percent) => ({
          label: format.rate(percent * 100),
          ariaLabel:
            percent === 100
              ? t('ticket.placeAll')
              : t('ticket.quickShare', { share: format.rate(percent * 100) }),
          disabled: available === undefined || available <= 0,
          onPick: () => {
            if (available !== undefined) put(amountText(quickAmount(available, percent, max), mark))
          },
        }))}
      />
    </div>
  )
}
