import { useState, type FocusEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { minor, type Minor } from '../../../contract/units.ts'
import { amountText, parseAmountInput, capAmount } from '../../../contract/amount.ts'
import { amountMax } from '../../../contract/constants.ts'
import { useAmountTyping } from '../../hooks/useAmountTyping.ts'
import { unclearAmountText } from './unclearAmount.ts'

/**
 * The state of an amount field, by the contract's rule: it accepts digits and separators while typing, and is
 * normalised and capped on blur. An amount changed by that is not sent by the same gesture: the member sees it first.
 * @param limit the maximum; undefined until loaded
 * @param onEdit called on each edit, for example to clear an error
 */
export function useAmount(limit: Minor | undefined, initial = '', onEdit?: () => void) {
  const { t } = useTranslation()
  const [text, setText] = useState(initial)
  const [capped, setCapped] = useState(false)
  const put = (next: string): void => {
    setText(next)
    setCapped(false)
    onEdit?.()
  }
  const { mark, bind } = useAmountTyping(put)
  const parsed = parseAmountInput(text, mark)
  const value = parsed === 'unclear' ? undefined : parsed
  /** Normalises and caps the text; returns whether the amount is still the typed one. */
  const commitAmount = (): boolean => {
    const committed = capAmount(text, limit ?? amountMax, mark)
    setText(committed.text)
    setCapped(committed.capped)
    return parsed !== 'unclear' && parseAmountInput(committed.text, mark) === parsed
  }
  return {
    text,
    /** Undefined if the text is empty or unclear. */
    value,
    /** The field's error if the text is ambiguous or invalid: nothing is sent. */
    unclear: parsed === 'unclear' ? unclearAmountText(t, mark) : undefined,
    /** Whether the amount was capped to the limit on blur. */
    capped,
    put,
    commitAmount,
    bind: {
      name: 'amount',
      value: text,
      placeholder: amountText(minor(0), mark),
      ...bind,
      onBlur: ({ relatedTarget }: FocusEvent) => {
        if (!isSubmit(relatedTarget)) commitAmount()
      },
    },
  }
}

const isSubmit = (target: EventTarget | null): boolean =>
  target instanceof HTMLButtonElement && target.type === 'submit'
