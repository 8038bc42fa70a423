import { useState } from 'react'
import { normalizeAmountInput, type DecimalMark } from '../../contract/amount.ts'
import { useFormat } from './useFormat.ts'

/**
 * Handles typing in an amount field: {@link normalizeAmountInput} is applied at once, but only at the end of an input
 * method's composition.
 */
export function useAmountTyping(put: (text: string) => void) {
  const mark: DecimalMark = useFormat().decimalMark
  const [composing, setComposing] = useState(false)
  return {
    mark,
    bind: {
      onValue: (raw: string) => put(composing ? raw : normalizeAmountInput(raw, mark)),
      onCompositionStart: () => setComposing(true),
      onCompositionEnd: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
        setComposing(false)
        put(normalizeAmountInput(currentTarget.value, mark))
      },
    },
  }
}
