import { asc, eq, inArray } from 'drizzle-orm'
import type { MemberFacts } from '../../../contract/office/memberFacts.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import {
  readSecurityChanges,
  readSharedDevices,
  type Phones,
  type Verifications,
} from '../../members/index.ts'
import {
  type Freezes,
  type Ledger,
  readMemberTotals,
  readRecentRequests,
  type SelfLimitPolicy,
  type Wallet,
} from '../../money/index.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Db } from '../../platform/db/database.ts'
import { member } from '../../platform/db/schema.ts'
import type { Clock } from '../../platform/ports.ts'
import type { OfficeCall } from './officeCall.ts'
import type { IdResolver } from './idResolver.ts'
import type { SeenFacts } from './seenFacts.ts'

export type MemberFactsParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  ledger: Pick<Ledger, 'assets'>
  phones: Pick<Phones, 'decrypt'>
  freezes: Pick<Freezes, 'current'>
  selfLimits: Pick<SelfLimitPolicy, 'show'>
  verifications: Pick<Verifications, 'office'>
  wallet: Pick<Wallet, 'accounts'>
}

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

type LastingFacts = Pick<
  MemberFacts,
  'closedAt' | 'verifiedName' | 'boundAt' | 'changes' | 'frozen' | 'sameCard'
>

/** Of a member's facts, what does not change by trading, by time alone or with each login. @throws ApiError `NOT_FOUND` */
export async function readLastingFacts(
  { db, freezes, verifications, wallet }: MemberFactsParts,
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

/** What decides a request of a member: read only, and each look is a row of the act log. */
export function mountMemberFacts(
  call: OfficeCall,
  parts: MemberFactsParts & { idResolver: Pick<IdResolver, 'member'>; seen: Pick<SeenFacts, 'lookAtMember'> },
): void {
  call(officeRoutes.members.facts, async ({ params, actor }) => {
    const memberId = await parts.idResolver.member(params.id)
    await parts.seen.lookAtMember(memberId, actor)
    return readFacts(parts, memberId)
  })
}

async function readFacts(parts: MemberFactsParts, memberId: string): Promise<MemberFacts> {
  const { db, clock } = parts
  const [row] = await db.select().from(member).where(eq(member.id, memberId))
  if (!row) throw new ApiError('NOT_FOUND')
  const { id, account, createdAt, phoneSealed, withdrawalsRestUntil } = row
  const isAhead = (at: number | null): at is number => at !== null && at > clock.now()
  const { excludedUntil } = (await parts.selfLimits.show(id)).active
  return {
    id,
    account,
    createdAt,
    phone: phoneSealed && parts.phones.decrypt(phoneSealed),
    assets: await parts.ledger.assets(id),
    ...(await readMemberTotals(db, id)),
    ...(await readLastingFacts(parts, id)),
    restsUntil: isAhead(withdrawalsRestUntil) ? withdrawalsRestUntil : null,
    excludedUntil: isAhead(excludedUntil) ? excludedUntil : null,
    sameDevice: await readAccounts(db, await readSharedDevices(db, id)),
    recent: await readRecentRequests(db, id),
  }
}
