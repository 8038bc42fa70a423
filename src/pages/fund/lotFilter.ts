import type { FundLot } from '../../../contract/fund.ts'

export const lotFilters = ['all', 'confirmed', 'pending'] as const
/** Which lots are shown. */
export type LotFilter = (typeof lotFilters)[number]

export const lotFilterOf = (text: string | null): LotFilter =>
  lotFilters.find((status) => status === text) ?? 'all'

/** Whether a lot passes a filter. A used-up lot has no share left, so it is neither confirmed nor pending. */
export function lotMatches(lot: Pick<FundLot, 'status' | 'remaining'>, filter: LotFilter): boolean {
  if (filter === 'all') return true
  if (lot.remaining === '0.00') return false
  return filter === 'pending' ? lot.status === 'pending_review' : lot.status === 'confirmed'
}
