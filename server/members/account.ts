import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { accountPattern } from '../../contract/rules.ts'
import { member } from '../db/schema/member.ts'

/**
 * One spelling for each account, for whatever is kept by account outside the database. Two texts that may name the
 * same account have the same key: names are ASCII, so JavaScript and PostgreSQL fold them alike.
 */
export const accountKey = (given: string): string => given.toLowerCase()

/** The member whose account is `given`, upper or lower case alike; nobody where no account can be called that. */
export const accountMatches = (given: string): SQL =>
  accountPattern.test(given) ? sql`lower(${member.account}) = lower(${given})` : sql`false`
