import { hiddenAmount, type Format } from '../../text/format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { usePreferences } from '../../state/preferences.ts'

/** Formats an amount of the member, or returns dots if the member hides amounts. */
export function useMaskedMoney(): Format['money'] {
  const { money } = useFormat()
  const { amountsHidden } = usePreferences()
  return amountsHidden ? () => hiddenAmount : money
}
