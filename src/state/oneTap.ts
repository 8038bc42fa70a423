import type { Minor } from '../../contract/units.ts'
import { formatMoney, moneyOf } from '../../contract/money.ts'
import { preferences, usePreferences } from './preferences.ts'
import { useSession } from './session.ts'

/** The largest amount of a one-tap order of the member; undefined while they are off. What another member set is not theirs. */
export function useOneTapMax(): Minor | undefined {
  const memberId = useSession().userInfo?.id
  const { oneTap } = usePreferences()
  return oneTap === null || oneTap.memberId !== memberId ? undefined : moneyOf(oneTap.max)
}

export const setOneTap = (memberId: string, max: Minor): void => {
  preferences.oneTap = { memberId, max: formatMoney(max) }
}

export const endOneTap = (): void => {
  preferences.oneTap = null
}
