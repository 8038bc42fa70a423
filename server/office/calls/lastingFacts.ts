import { asc, eq, inArray } from 'drizzle-orm'
import type { MemberFacts } from '../../../contract/office/memberFacts.ts'
import { readSecurityChanges, type Verifications } from '../../members/index.ts'
import { type Freezes, readMemberTotals, type Wallet } from '../../money/index.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Db } from '../../platform/db/database.ts'
import { member } from '../../platform/db/schema.ts'

type Accounts = MemberFacts['sameCard']

/** More are as telling as these. */
const othersMax = 10

/** The accounts of some members, by name. */
export async function readAccounts(db: Db, ids: readonly string[]): Promise<Accounts> {
  if (ids.length === 0) return []
  return db
    .select({ id: member.id, account: member.account })
    .from(member)
    .where(inArray(member.id, [...ids]))
    .orderBy(asc(member.account))
    .limit(othersMax)
}

export type LastingFactsParts = {
  db: Db
  freezes: Pick<Freezes, 'current'>
  verifications: Pick<Verifications, 'office'>
  wallet: Pick<Wallet, 'accounts'>
}
type LastingFacts = Pick<
  MemberFacts,
  'closedAt' | 'verifiedName' | 'boundAt' | 'changes' | 'frozen' | 'sameCard'
>

/** Of a member's facts, what does not change by trading, by time alone or with each login. @throws ApiError `NOT_FOUND` */
export async function readLastingFacts(
  { db, freezes, verifications, wallet }: LastingFactsParts,
  memberId: string,
): Promise<LastingFacts> {
  const [row] = await db.select({ closedAt: member.closedAt }).from(member).where(eq(member.id, memberId))
  if (!row) throw new ApiError('NOT_FOUND')
  return {
    ...row,
    verifiedName: await verifications.office.verifiedName(memberId),
    boundAt: (await readMemberTotals(db, memberId)).boundAt,
    changes: await readSecurityChanges(db, memberId),
    frozen: await freezes.current(memberId),
    sameCard: await readAccounts(db, await wallet.accounts.sharedWith(memberId)),
  }
}
