import { useRef, useState } from 'react'
import { amountOf, amountText, normalizeAmountInput, type DecimalMark } from '../../contract/amount.ts'
import { useFormat } from './useFormat.ts'
import { useGrouped } from './useGrouped.ts'

/**
 * Handles typing in an amount field: {@link normalizeAmountInput} is applied at once, but only at the end of an input
 * method's composition. While nobody types, thousands are grouped.
 */
export function useAmountTyping(text: string, put: (text: string) => void) {
  const format = useFormat()
  const mark: DecimalMark = format.decimalMark
  const [composing, setComposing] = useState(false)
  const normalize = useNormalizing(mark)
  const amount = amountOf(text, mark)
  const isPlain = amount !== undefined && amountText(amount, mark) === text
  const { value, onTyping, onFocus, onBlur } = useGrouped(text, isPlain ? format.money(amount) : text)
  return {
    mark,
    bind: {
      value,
      onValue: (raw: string) => {
        onTyping()
        put(composing ? raw : normalize(raw))
      },
      onFocus,
      onBlur,
      onCompositionStart: () => setComposing(true),
      onCompositionEnd: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
        setComposing(false)
        put(normalize(currentTarget.value))
      },
    },
  }
}

/**
 * Normalises what is typed one key after the other. Digits that were cut as too many decimals come back if more is typed: by
 * a second separator the first one groups thousands.
 */
function useNormalizing(mark: DecimalMark): (raw: string) => string {
  const cut = useRef<{ raw: string; text: string }>(undefined)
  return (raw) => {
    const before = cut.current
    const whole =
      before !== undefined && raw.startsWith(before.text) ? before.raw + raw.slice(before.text.length) : raw
    const text = normalizeAmountInput(whole, mark)
    cut.current = whole.startsWith(text) && whole !== text ? { raw: whole, text } : undefined
    return text
  }
}
