import { minor, epochMs } from '../../../contract/units.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { Withdrawal, WithdrawalAccount } from '../../../contract/withdrawals.ts'
import type { WithdrawalRow } from '../schema.ts'
import type { Vault } from '../../platform/vault.ts'

/** A withdrawal as the office sees it; only `WithdrawalAccounts.showForOffice` has the account's details. */
export type OfficeWithdrawal = Omit<Withdrawal, 'account'> & {
  account: Pick<WithdrawalAccount, 'id' | 'type'>
  memberId: string
  decidedAt: number | null
  decidedBy: string | null
  approvedAt: number | null
  approvedBy: string | null
}

/** Maps rows to what is sent, with the masked account as it was at the time of the request. */
export function createWithdrawalViews(vault: Vault) {
  const encryptionContext = (id: string): string => `withdrawal ${id}`
  const view = (row: WithdrawalRow): Withdrawal => ({
    id: row.id,
    no: row.no,
    amount: formatMoney(minor(row.amount)),
    account: JSON.parse(
      vault.decrypt(row.accountSealed, encryptionContext(row.id)).toString(),
    ) as WithdrawalAccount,
    status: row.status,
    reason: row.reason,
    reference: row.reference,
    timeline: timelineOf(row),
    createdAt: epochMs(row.createdAt),
    version: row.version,
  })
  return {
    encryptAccount: (id: string, account: WithdrawalAccount): Buffer =>
      vault.encrypt(JSON.stringify(account), encryptionContext(id)),
    view,
    officeView: (row: WithdrawalRow): OfficeWithdrawal => {
      const { memberId, decidedAt, decidedBy, approvedAt, approvedBy } = row
      const { account, ...rest } = view(row)
      const { id, type } = account
      return { ...rest, account: { id, type }, memberId, decidedAt, decidedBy, approvedAt, approvedBy }
    },
  }
}
export type WithdrawalViews = ReturnType<typeof createWithdrawalViews>

function timelineOf({ createdAt, approvedAt, decidedAt, endedAs }: WithdrawalRow): Withdrawal['timeline'] {
  const approved = approvedAt === null ? [] : [{ at: epochMs(approvedAt), step: 'approved' as const }]
  const ended = decidedAt !== null && endedAs !== null ? [{ at: epochMs(decidedAt), step: endedAs }] : []
  return [{ at: epochMs(createdAt), step: 'requested' }, ...approved, ...ended]
}
