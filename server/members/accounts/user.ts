import type { User } from '../../../contract/member.ts'
import type { MemberRow } from '../../platform/db/schema.ts'
import type { Random } from '../../platform/ports.ts'
import { createVault } from '../../platform/vault.ts'

/** A member's own view of their profile, with the contact email, which is stored encrypted. */
export type Users = {
  view(row: MemberRow): User
  /** The stored form of a contact email; null for none. */
  encryptEmail(memberId: string, email: string | null): Uint8Array | null
}

/** @param secret is stored outside the database */
export function createUsers(secret: Uint8Array, random: Random): Users {
  const vault = createVault(secret, 'contact email', random)
  const emailOf = ({ id, contactEmailSealed: encrypted }: MemberRow): string | null =>
    encrypted && vault.decrypt(encrypted, id).toString()
  return {
    view: (row) => ({
      id: row.id,
      account: row.account,
      nickname: row.nickname,
      phoneMasked: row.phoneMasked ?? '',
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
