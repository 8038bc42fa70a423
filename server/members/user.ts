import type { User } from '../../contract/session.ts'
import type { MemberRow } from '../db/schema/member.ts'
import type { Random } from '../ports.ts'
import { createVault } from '../vault.ts'

/** Members as they see themselves, and the contact address that only they and the desk do. */
export type Users = {
  view(row: MemberRow): User
  /** How a contact address is stored; no address is none. */
  encryptEmail(memberId: string, email: string | null): Uint8Array | null
}

/** @param secret lies outside the database. */
export function createUsers(secret: Uint8Array, random: Random): Users {
  const vault = createVault(secret, 'contact email', random)
  const emailOf = ({ id, contactEmailSealed: encrypted }: MemberRow): string | null =>
    encrypted && vault.decrypt(encrypted, id).toString()
  return {
    view: (row) => ({
      id: row.id,
      account: row.account,
      nickname: row.nickname,
      phoneMasked: row.phoneMasked,
      contactEmail: emailOf(row),
      level: row.level,
      creditScore: row.creditScore,
      verification: row.verification,
      openingCode: row.openingCode,
      hasWithdrawalAccount: row.withdrawalAccountBound,
    }),
    encryptEmail: (memberId, email) => (email === null ? null : vault.encrypt(email, memberId)),
  }
}
