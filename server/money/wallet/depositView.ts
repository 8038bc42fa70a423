import { epochMs, minor } from '../../../contract/units.ts'
import type { Deposit } from '../../../contract/deposits.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { DbTransaction } from '../../platform/db/database.ts'
import type { DepositRow } from '../schema.ts'
import { transactionOf, type Ledger, type Posted } from '../ledger/ledger.ts'
import type { MemberBus } from '../../platform/ports.ts'

/** A deposit as the office sees it. */
export type OfficeDeposit = Deposit & {
  memberId: string
  proofUploadId: string | null
  decidedBy: string | null
  confirmedAt: number | null
  confirmedBy: string | null
}

export function depositOf(row: DepositRow): Deposit {
  const { id, no, methodId, status, reason, awaitsSecond, createdAt, decidedAt, version } = row
  return {
    id,
    no,
    amount: formatMoney(minor(row.amount)),
    methodId,
    status,
    reason,
    awaitsSecondPerson: awaitsSecond,
    reversed: row.reversed === null ? null : formatMoney(minor(row.reversed)),
    createdAt: epochMs(createdAt),
    decidedAt: epochMs(decidedAt),
    version,
  }
}

export function officeDepositOf(row: DepositRow): OfficeDeposit {
  const { memberId, proofUploadId, decidedBy, confirmedAt, confirmedBy } = row
  return { ...depositOf(row), memberId, proofUploadId, decidedBy, confirmedAt, confirmedBy }
}

export async function creditDeposit(tx: DbTransaction, ledger: Ledger, row: DepositRow): Promise<Posted> {
  const { id, no, memberId, amount } = row
  const posted = await ledger.post(tx, transactionOf('deposit', memberId, amount, { id, no }))
  if (!posted) throw new Error('The ledger rejected a credit.')
  return posted
}

export function publishDeposit(bus: MemberBus, ledger: Ledger, row: DepositRow, posted: Posted | null): void {
  bus.emit(row.memberId, 'deposit', depositOf(row))
  if (posted) ledger.publish(row.memberId, posted)
}

export const depositKeyOf = (row: DepositRow): [number, string] => [row.createdAt, row.id]
