import { eq, or } from 'drizzle-orm'
import type { Db } from '../db/database.ts'
import { member } from '../db/schema/member.ts'
import { deposit, withdrawal } from '../db/schema/wallet.ts'
import { ApiError } from '../apiError.ts'
import { accountMatches } from '../members/account.ts'

/** What people at the desk call things by: what the member's own screens show. Throws 404 where there is none. */
export type IdResolver = {
  /** A member's id or account. */
  member(given: string): Promise<string>
  /** The member of an account of that name; any other name is given back as it is. */
  memberOrInput(given: string): Promise<string>
  /** A deposit's id or number. */
  deposit(given: string): Promise<string>
  /** A withdrawal's id or number. */
  withdrawal(given: string): Promise<string>
}

export function createIdResolver(db: Db): IdResolver {
  const memberOf = async (given: string): Promise<string | undefined> => {
    const [row] = await db
      .select({ id: member.id })
      .from(member)
      .where(or(eq(member.id, given), accountMatches(given)))
    return row?.id
  }
  return {
    member: async (given) => (await memberOf(given)) ?? throwNotFound(),
    memberOrInput: async (given) => (await memberOf(given)) ?? given,
    deposit: async (given) => {
      const named = or(eq(deposit.id, given), eq(deposit.no, given.toUpperCase()))
      const [row] = await db.select({ id: deposit.id }).from(deposit).where(named)
      return row?.id ?? throwNotFound()
    },
    withdrawal: async (given) => {
      const named = or(eq(withdrawal.id, given), eq(withdrawal.no, given.toUpperCase()))
      const [row] = await db.select({ id: withdrawal.id }).from(withdrawal).where(named)
      return row?.id ?? throwNotFound()
    },
  }
}

function throwNotFound(): never {
  throw new ApiError(404, 'NOT_FOUND')
}
