import { useTranslation } from 'react-i18next'
import { minor, type Minor } from '../../../contract/units.ts'
import { amountOf, amountText, quickAmount, capAmount } from '../../../contract/amount.ts'
import { quickStakes } from '../../features/forms/quickSums.ts'
import { isComposing } from '../../lib/composing.ts'
import { useAmountTyping } from '../../hooks/useAmountTyping.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { AmountField, QuickAmounts } from '../../ui/index.ts'
import { stepAmount } from './stepAmount.ts'
import styles from './Ticket.module.css'

export type TicketAmountProps = {
  value: string
  /** `isUsual`: the field may start with it next time. */
  onValue: (text: string, isUsual: boolean) => void
  currency: string
  /** The minimum stake of the duration. */
  min: Minor
  /** The maximum stake of the duration. */
  max: Minor
  /** Undefined until loaded: nothing fills the field in then. */
  available: Minor | undefined
  invalid: boolean
  describedBy: string
  wide?: boolean
  /** On blur: whether the amount was lowered to the maximum; false again once it is changed. */
  onCapped: (isCapped: boolean) => void
}

/**
 * The amount, the steps beside it, and round amounts that fill it in. While typing it accepts digits and separators; on blur
 * it is normalised by the contract's rule. Filling in never submits.
 */
export function TicketAmount(props: TicketAmountProps) {
  const {
    value,
    onValue,
    currency,
    min,
    max,
    available,
    invalid,
    describedBy,
    wide = false,
    onCapped,
  } = props
  const { t } = useTranslation()
  const put = (text: string, isUsual = true) => {
    onCapped(false)
    onValue(text, isUsual)
  }
  const { mark, bind } = useAmountTyping((text) => put(text))
  const commitAmount = () => {
    const committed = capAmount(value, max, mark)
    onCapped(committed.capped)
    onValue(committed.text, false)
  }
  /** The most that an order can be now. */
  const most = quickAmount(available ?? max, 100, max)
  const step = (by: 'down' | 'up') => {
    const next = stepAmount(amountOf(value, mark) ?? minor(0), by, min, most)
    return {
      label: t(by === 'down' ? 'ticket.lower' : 'ticket.raise'),
      disabled: next === undefined,
      onStep: () => {
        if (next !== undefined) put(amountText(next, mark))
      },
    }
  }
  return (
    <div className={styles.amount}>
      <AmountField
        label={wide ? t('ticket.note.amount') : t('ticket.amountIn', { unit: currency })}
        unit={wide ? currency : undefined}
        steps={{ down: step('down'), up: step('up') }}
        value={value}
        placeholder={amountText(minor(0), mark)}
        invalid={invalid}
        aria-describedby={describedBy}
        {...bind}
        // From now on it is the member's: a limit that arrives later must not change it under the fingers.
        onFocus={() => onValue(value, false)}
        onBlur={commitAmount}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !isComposing(event.nativeEvent)) event.currentTarget.blur()
        }}
      />
      <QuickStakes {...{ min, most, isKnown: available !== undefined }} onPick={put} />
    </div>
  )
}

type QuickStakesProps = {
  min: Minor
  most: Minor
  isKnown: boolean
  onPick: (text: string, isUsual?: boolean) => void
}

const all = 'max'

/** Round amounts that fit, and in the menu also the most that an order can be. */
function QuickStakes({ min, most, isKnown, onPick }: QuickStakesProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const mark = format.decimalMark
  const stakes = quickStakes(min, most).map((sum) => ({
    label: format.decimal(String(sum / 100)),
    value: amountText(sum, mark),
  }))
  return (
    <QuickAmounts
      label={t('deposit.quick')}
      items={stakes.map(({ label, value }) => ({ label, disabled: !isKnown, onPick: () => onPick(value) }))}
      menu={{
        label: t('ticket.moreAmounts'),
        options: [...stakes, { value: all, label: t('ticket.max', { amount: format.money(most) }) }],
        disabled: !isKnown || most < min,
        // No field starts with the whole balance.
        onPick: (value) => (value === all ? onPick(amountText(most, mark), false) : onPick(value)),
      }}
    />
  )
}
