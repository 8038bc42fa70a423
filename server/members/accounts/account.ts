import { eq, isNull, sql, type SQL } from 'drizzle-orm'
import { accountPattern } from '../../../contract/rules.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { member, type MemberRow } from '../../platform/db/schema.ts'
import type { DeviceOwner } from './knownDevices.ts'

/**
 * One spelling for each account, for everything outside the database that is keyed by account. Two texts that may name
 * the same account have the same key: names are ASCII, so JavaScript and PostgreSQL lower-case them in the same way.
 */
export const accountKey = (account: string): string => account.toLowerCase()

/** Matches the member with this account, ignoring case. Matches none if the text is not a valid account name. */
export const accountMatches = (account: string): SQL =>
  accountPattern.test(account) ? sql`lower(${member.account}) = lower(${account})` : sql`false`

/** Matches members whose account is not closed. A closed one answers a login as an unknown account does, and its name stays taken. */
export const isOpenAccount = isNull(member.closedAt)

/** Whose devices are known: a member's. */
export const deviceOwner = ({
  account,
  deviceEpoch,
}: Pick<MemberRow, 'account' | 'deviceEpoch'>): DeviceOwner => ({
  account: accountKey(account),
  epoch: deviceEpoch,
})

/** Ends every device's being known to the member's account. */
export async function forgetDevices(on: Db | DbTransaction, memberId: string): Promise<void> {
  const deviceEpoch = sql`${member.deviceEpoch} + 1`
  await on.update(member).set({ deviceEpoch }).where(eq(member.id, memberId))
}
