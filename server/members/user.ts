import type { User } from '../../contract/session.ts'
import type { MemberRow } from '../db/schema/member.ts'

/** A member as they see themselves. */
export function userOf(row: MemberRow): User {
  return {
    id: row.id,
    account: row.account,
    nickname: row.nickname,
    phoneMasked: row.phoneMasked,
    contactEmail: row.contactEmail,
    level: row.level,
    creditScore: row.creditScore,
    verification: row.verification,
    openingCode: row.openingCode,
    hasWithdrawalAccount: row.withdrawalAccountBound,
  }
}
