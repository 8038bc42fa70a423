import { eq } from 'drizzle-orm'
import type { AccountDetails, WithdrawalAccount } from '../../../contract/withdrawals.ts'
import type { DbTransaction } from '../../platform/db/database.ts'
import { withdrawal, withdrawalAccount } from '../schema.ts'
import type { Vault } from '../../platform/vault.ts'
import type { WithdrawalViews } from './withdrawalView.ts'

/** Replaces where a member's withdrawals went with blanks: the rows can still be read, and say nothing. */
export async function eraseAccounts(
  { vault, views }: { vault: Vault; views: Pick<WithdrawalViews, 'view' | 'encryptAccount'> },
  tx: DbTransaction,
  memberId: string,
): Promise<void> {
  const ofMember = eq(withdrawalAccount.memberId, memberId)
  for (const { id, detailsSealed } of await tx.select().from(withdrawalAccount).where(ofMember)) {
    const details = JSON.parse(vault.decrypt(detailsSealed, id).toString()) as AccountDetails
    const blank = vault.encrypt(JSON.stringify(blanked(details, ['type'])), id)
    await tx.update(withdrawalAccount).set({ detailsSealed: blank }).where(eq(withdrawalAccount.id, id))
  }
  for (const row of await tx.select().from(withdrawal).where(eq(withdrawal.memberId, memberId))) {
    const blank = blanked<WithdrawalAccount>(views.view(row).account, ['type', 'id'])
    const accountSealed = views.encryptAccount(row.id, blank)
    await tx.update(withdrawal).set({ accountSealed }).where(eq(withdrawal.id, row.id))
  }
}

/** Every text except the kept ones is cleared. */
const blanked = <T extends object>(value: T, kept: readonly string[]): T =>
  Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      typeof part === 'string' && !kept.includes(name) ? '' : part,
    ]),
  ) as T
