import type { Format } from '../../format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { usePreferences } from '../../state/preferences.ts'

/** What a hidden amount shows: as wide for a little as for a lot. */
export const hiddenAmount = '••••••'

/** Writes an amount that the member has, or dots where the member chose to hide amounts. */
export function useMaskedMoney(): Format['money'] {
  const { money } = useFormat()
  const { amountsHidden } = usePreferences()
  return amountsHidden ? () => hiddenAmount : money
}
