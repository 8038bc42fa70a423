import { normalizeAmountInput, type DecimalMark } from '../../contract/amount.ts'
import { useFormat } from './useFormat.ts'
import { useTyping } from './useTyping.ts'

/** Handles typing in an amount field: {@link normalizeAmountInput} is applied to it. */
export function useAmountTyping(put: (text: string) => void) {
  const mark: DecimalMark = useFormat().decimalMark
  return { mark, bind: useTyping((typed) => normalizeAmountInput(typed, mark), put) }
}
