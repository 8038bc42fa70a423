import { minor } from '../../contract/brand.ts'
import { formatMoney } from '../../contract/money.ts'
import type { Assets, LedgerEntry, LedgerType } from '../../contract/session.ts'
import type { BusinessDay } from '../../contract/time.ts'
import type { BalanceRow } from '../db/schema/ledger.ts'

/** A balance as it travels. `total = available + held + openStakes + fund`, always. */
export function assetsOf(row: BalanceRow, today: BusinessDay): Assets {
  return {
    total: formatMoney(minor(row.available + row.held + row.stakes + row.fund)),
    available: formatMoney(minor(row.available)),
    held: formatMoney(minor(row.held)),
    openStakes: formatMoney(minor(row.stakes)),
    fund: formatMoney(minor(row.fund)),
    accountPnl: formatMoney(minor(row.pnl)),
    todayPnl: formatMoney(minor(row.todayOn === today ? row.todayPnl : 0)),
    version: row.version,
  }
}

/** The part of a posting that the capital record shows. */
export type RecordLine = {
  id: number
  at: number
  type: LedgerType
  amount: number
  availableAfter: number
  refKind: string
  refId: string
}

export function entryOf(line: RecordLine): LedgerEntry {
  return {
    id: String(line.id),
    at: line.at,
    type: line.type,
    amount: formatMoney(minor(line.amount)),
    balanceAfter: formatMoney(minor(line.availableAfter)),
    ref: { kind: line.refKind, id: line.refId },
  }
}
