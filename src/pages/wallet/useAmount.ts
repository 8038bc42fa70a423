import { useState } from 'react'
import type { FocusEvent } from 'react'
import type { Minor } from '../../../contract/brand.ts'
import { amountOf, settledAmount, typedAmount } from '../../../contract/amount.ts'
import { amountMax } from '../../../contract/constants.ts'

/**
 * One amount being typed, by the contract's rule: digits and one dot while typing, settled on leaving. An amount
 * that settling changed is never sent by the same gesture: whoever presses the button sees first what it became.
 * @param limit the most allowed, undefined while it is not known
 * @param onPut told of each change by hand, which is not what was wrong before
 */
export function useAmount(limit: Minor | undefined, initial = '', onPut?: () => void) {
  const [text, setText] = useState(initial)
  const [capped, setCapped] = useState(false)
  const [composing, setComposing] = useState(false)
  const put = (next: string): void => {
    setText(next)
    setCapped(false)
    onPut?.()
  }
  /** Settles the amount; whether it is still the one that was typed. */
  const settle = (): boolean => {
    const settled = settledAmount(text, limit ?? amountMax)
    setText(settled.text)
    setCapped(settled.capped)
    return amountOf(settled.text) === amountOf(text)
  }
  return {
    text,
    /** Undefined while nothing is entered. */
    value: amountOf(text),
    /** Cut down to the limit when it was left. */
    capped,
    put,
    settle,
    bind: {
      name: 'amount',
      value: text,
      placeholder: '0.00',
      onValue: (raw: string) => put(composing ? raw : typedAmount(raw)),
      onCompositionStart: () => setComposing(true),
      onCompositionEnd: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
        setComposing(false)
        put(typedAmount(currentTarget.value))
      },
      onBlur: ({ relatedTarget }: FocusEvent) => {
        if (!isSubmit(relatedTarget)) settle()
      },
    },
  }
}

const isSubmit = (target: EventTarget | null): boolean =>
  target instanceof HTMLButtonElement && target.type === 'submit'
