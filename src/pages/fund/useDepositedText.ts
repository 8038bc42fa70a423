import type { FundLot } from '../../../contract/fund.ts'
import { useDayFormat } from '../../hooks/useDays.ts'
import { useFormat } from '../../hooks/useFormat.ts'

/** When a transfer in was made: its day in the fund's calendar, and the hour. */
export function useDepositedText({ depositedOn, depositedAt }: FundLot): string {
  return `${useDayFormat().short(depositedOn)} · ${useFormat().timeShort(depositedAt)}`
}
