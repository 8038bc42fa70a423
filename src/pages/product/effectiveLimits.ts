import type { Minor } from '../../../contract/brand.ts'
import { addMoney, moneyOf, negate } from '../../../contract/money.ts'
import type { SelfLimitField, SelfLimits } from '../../../contract/selfLimits.ts'
import type { Assets } from '../../../streams/index.ts'

/** What the member's own limits bar now; null is no limit. */
export type EffectiveLimits = {
  excludedUntil: number | null
  maxStake: Minor | null
  /** What may still be lost today, every open stake counted as lost. */
  lossLeft: Minor | null
}

export const noEffectiveLimits: EffectiveLimits = { excludedUntil: null, maxStake: null, lossLeft: null }

/**
 * The limits in force at an instant of the venue's clock, told before an order is sent. Where assets are not known yet
 * the venue alone judges the day's loss.
 */
export function effectiveLimitsAt(
  limits: SelfLimits,
  assets: Pick<Assets, 'openStakes' | 'todayPnl'> | undefined,
  now: number,
): EffectiveLimits {
  const inForce = <F extends SelfLimitField>(field: F) => {
    const due = limits.pending.find((entry) => entry.field === field && entry.effectiveAt <= now)
    return due ? due.value : limits.active[field]
  }
  const money = (value: string | number | null): Minor | null =>
    typeof value === 'string' ? moneyOf(value) : null
  const until = inForce('excludedUntil')
  const maxLoss = money(inForce('maxDailyLoss'))
  return {
    excludedUntil: typeof until === 'number' && until > now ? until : null,
    maxStake: money(inForce('maxStake')),
    lossLeft:
      maxLoss === null || assets === undefined
        ? null
        : addMoney(maxLoss, negate(moneyOf(assets.openStakes)), moneyOf(assets.todayPnl)),
  }
}
