import type { FundLot } from '../../../contract/fund.ts'

export const lotStatuses = ['all', 'confirmed', 'pending'] as const
/** Which lots are shown. */
export type LotStatus = (typeof lotStatuses)[number]

export const lotStatusOf = (text: string | null): LotStatus =>
  lotStatuses.find((status) => status === text) ?? 'all'

/** Whether a lot stands under a status. A used-up one holds no share, confirmed or pending. */
export function lotBelongs(lot: Pick<FundLot, 'status' | 'remaining'>, status: LotStatus): boolean {
  if (status === 'all') return true
  if (lot.remaining === '0.00') return false
  return status === 'pending' ? lot.status === 'pending_review' : lot.status === 'confirmed'
}
