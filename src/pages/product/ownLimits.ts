import type { Minor } from '../../../contract/brand.ts'
import { addMoney, moneyOf, negate } from '../../../contract/money.ts'
import type { LimitField, Limits } from '../../../contract/wallet.ts'
import type { Assets } from '../../../streams/index.ts'

/** What the member's own limits bar now; null is no limit. */
export type OwnLimits = {
  excludedUntil: number | null
  maxStake: Minor | null
  /** What may still be lost today, every open stake counted as lost. */
  lossLeft: Minor | null
}

export const noOwnLimits: OwnLimits = { excludedUntil: null, maxStake: null, lossLeft: null }

/**
 * The limits in force at an instant of the venue's clock, told before an order is sent. Where assets are not known yet
 * the venue alone judges the day's loss.
 */
export function ownLimitsAt(
  limits: Limits,
  assets: Pick<Assets, 'openStakes' | 'todayPnl'> | undefined,
  now: number,
): OwnLimits {
  const held = <F extends LimitField>(field: F) => {
    const due = limits.pending.find((entry) => entry.field === field && entry.effectiveAt <= now)
    return due ? due.value : limits.active[field]
  }
  const money = (value: string | number | null): Minor | null =>
    typeof value === 'string' ? moneyOf(value) : null
  const until = held('excludedUntil')
  const maxLoss = money(held('maxDailyLoss'))
  return {
    excludedUntil: typeof until === 'number' && until > now ? until : null,
    maxStake: money(held('maxStake')),
    lossLeft:
      maxLoss === null || assets === undefined
        ? null
        : addMoney(maxLoss, negate(moneyOf(assets.openStakes)), moneyOf(assets.todayPnl)),
  }
}
