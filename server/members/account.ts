import { isNull, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { accountPattern } from '../../contract/rules.ts'
import { member } from '../db/schema/member.ts'

/**
 * One spelling for each account, for everything outside the database that is keyed by account. Two texts that may name
 * the same account have the same key: names are ASCII, so JavaScript and PostgreSQL lower-case them in the same way.
 */
export const accountKey = (account: string): string => account.toLowerCase()

/** Matches the member with this account, ignoring case. Matches none if the text is not a valid account name. */
export const accountMatches = (account: string): SQL =>
  accountPattern.test(account) ? sql`lower(${member.account}) = lower(${account})` : sql`false`

/** Matches members whose account is not closed. A closed one is unknown to whoever logs in, and its name stays taken. */
export const isOpenAccount = isNull(member.closedAt)
