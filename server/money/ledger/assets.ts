import { minor, epochMs } from '../../../contract/units.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { Assets, LedgerEntry, LedgerType } from '../../../contract/ledger.ts'
import type { BusinessDay } from '../../../contract/time.ts'
import type { BalanceRow } from '../schema.ts'

/** A balance in the wire format. `total = available + held + openStakes + fund`, always. */
export function toAssets(row: BalanceRow, today: BusinessDay): Assets {
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
export type PostingFields = {
  id: number
  at: number
  type: LedgerType
  amount: number
  availableAfter: number
  held: number
  fund: number
  refKind: string
  refId: string
  /** The number of the order, deposit or withdrawal, and the order's product. */
  no: string | null
  productId: string | null
}

export function toLedgerEntry(posting: PostingFields): LedgerEntry {
  return {
    id: String(posting.id),
    at: epochMs(posting.at),
    type: posting.type,
    amount: formatMoney(minor(posting.amount)),
    balanceAfter: formatMoney(minor(posting.availableAfter)),
    held: formatMoney(minor(posting.held)),
    fund: formatMoney(minor(posting.fund)),
    ref: { kind: posting.refKind, id: posting.refId, no: posting.no, productId: posting.productId },
  }
}
