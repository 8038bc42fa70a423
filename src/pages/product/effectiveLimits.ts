import type { Minor } from '../../../contract/units.ts'
import { addMoney, moneyOf, negate } from '../../../contract/money.ts'
import type { SelfLimitField, SelfLimits } from '../../../contract/selfLimits.ts'
import type { Assets } from '../../../streams/index.ts'

/** The member's own limits that apply now; null means no limit. */
export type EffectiveLimits = {
  excludedUntil: number | null
  maxStake: Minor | null
  /** The loss still allowed today, with every open stake counted as lost. */
  lossLeft: Minor | null
}

export const noEffectiveLimits: EffectiveLimits = { excludedUntil: null, maxStake: null, lossLeft: null }

/**
 * The limits in force at an instant of the venue's clock, for the check before an order is sent. Until the assets are
 * loaded, only the venue checks the daily loss.
 */
export function effectiveLimitsAt(
  limits: SelfLimits,
  assets: Pick<Assets, 'openStakes' | 'todayPnl'> | undefined,
  now: number,
): EffectiveLimits {
  const activeAt = <F extends SelfLimitField>(field: F) => {
    const due = limits.pending.find((entry) => entry.field === field && entry.effectiveAt <= now)
    return due ? due.value : limits.active[field]
  }
  const money = (value: string | number | null): Minor | null =>
    typeof value === 'string' ? moneyOf(value) : null
  const until = activeAt('excludedUntil')
  const maxLoss = money(activeAt('maxDailyLoss'))
  return {
    excludedUntil: typeof until === 'number' && until > now ? until : null,
    maxStake: money(activeAt('maxStake')),
    lossLeft:
      maxLoss === null || assets === undefined
        ? null
        : addMoney(maxLoss, negate(moneyOf(assets.openStakes)), moneyOf(assets.todayPnl)),
  }
}
