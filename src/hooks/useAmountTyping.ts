import { useState } from 'react'
import { normalizeAmountInput } from '../../contract/amount.ts'
import type { DecimalMark } from '../../contract/amount.ts'
import { useFormat } from './useFormat.ts'

/**
 * How an amount field takes what is typed: an input method's text as it is until it is done, everything else by
 * {@link normalizeAmountInput}.
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
