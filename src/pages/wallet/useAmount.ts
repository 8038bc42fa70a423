import { useState } from 'react'
import type { FocusEvent } from 'react'
import type { Minor } from '../../../contract/brand.ts'
import { parseAmountInput, capAmount } from '../../../contract/amount.ts'
import { amountMax } from '../../../contract/constants.ts'
import { useAmountTyping } from '../../hooks/useAmountTyping.ts'

/**
 * One amount being typed, by the contract's rule: digits and separators while typing, settled on leaving. An amount
 * that settling changed is never sent by the same gesture: whoever presses the button sees first what it became.
 * @param limit the most allowed, undefined while it is not known
 * @param onEdit told of each change by hand, which is not what was wrong before
 */
export function useAmount(limit: Minor | undefined, initial = '', onEdit?: () => void) {
  const [text, setText] = useState(initial)
  const [capped, setCapped] = useState(false)
  const put = (next: string): void => {
    setText(next)
    setCapped(false)
    onEdit?.()
  }
  const { mark, bind } = useAmountTyping(put)
  const read = parseAmountInput(text, mark)
  const value = read === 'unclear' ? undefined : read
  /** Settles the amount; whether it is still the one that was typed. */
  const commitAmount = (): boolean => {
    const committed = capAmount(text, limit ?? amountMax, mark)
    setText(committed.text)
    setCapped(committed.capped)
    return read !== 'unclear' && parseAmountInput(committed.text) === read
  }
  return {
    text,
    /** Undefined while nothing is entered, or nothing that is clear. */
    value,
    /** The text can be read in two ways or in none: nothing is sent, and the field says so. */
    unclear: read === 'unclear',
    /** Cut down to the limit when it was left. */
    capped,
    put,
    commitAmount,
    bind: {
      name: 'amount',
      value: text,
      placeholder: '0.00',
      ...bind,
      onBlur: ({ relatedTarget }: FocusEvent) => {
        if (!isSubmit(relatedTarget)) commitAmount()
      },
    },
  }
}

const isSubmit = (target: EventTarget | null): boolean =>
  target instanceof HTMLButtonElement && target.type === 'submit'
