import { asc, eq, inArray } from 'drizzle-orm'
import type { MemberFacts } from '../../../contract/office/memberFacts.ts'
import { readSecurityChanges, type MemberNotes, type Verifications } from '../../members/index.ts'
import { type Freezes, readMemberTotals, type Wallet } from '../../money/index.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Db } from '../../platform/db/database.ts'
import { member } from '../../platform/db/schema.ts'
import type { Clock } from '../../platform/ports.ts'
import { readWaitingAbout } from '../fourEyes/waitingAbout.ts'

type Others = MemberFacts['sameCard']

/** More are as telling as these. */
const othersMax = 10
/** Of more members the names would be a list of names. */
export const namedMax = 5

/** Some members by account, and with their verified names unless that would be a list of names. */
export async function readOthers(
  { db, verifications }: Pick<LastingFactsParts, 'db' | 'verifications'>,
  ids: readonly string[],
): Promise<Others> {
  if (ids.length === 0) return []
  const rows = await db
    .select({ id: member.id, account: member.account })
    .from(member)
    .where(inArray(member.id, [...ids]))
    .orderBy(asc(member.account))
    .limit(othersMax)
  const nameOf = (id: string) => (rows.length > namedMax ? null : verifications.office.verifiedName(id))
  return Promise.all(rows.map(async (row) => ({ ...row, name: await nameOf(row.id) })))
}

export type LastingFactsParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  notes: Pick<MemberNotes, 'latest'>
  freezes: Pick<Freezes, 'current'>
  verifications: Pick<Verifications, 'office'>
  wallet: Pick<Wallet, 'accounts'>
}
type LastingFacts = Pick<
  MemberFacts,
  | 'closedAt'
  | 'verifiedName'
  | 'boundAt'
  | 'awaiting'
  | 'changes'
  | 'frozen'
  | 'proposals'
  | 'sameCard'
  | 'latestNote'
  | 'noteCount'
>

/** Of a member's facts, what does not change by trading, by time alone or with each login. @throws ApiError `NOT_FOUND` */
export async function readLastingFacts(parts: LastingFactsParts, memberId: string): Promise<LastingFacts> {
  const { db, freezes, verifications, wallet } = parts
  const [row] = await db.select({ closedAt: member.closedAt }).from(member).where(eq(member.id, memberId))
  if (!row) throw new ApiError('NOT_FOUND')
  const { boundAt, awaiting } = await readMemberTotals(db, memberId)
  return {
    ...row,
    verifiedName: await verifications.office.verifiedName(memberId),
    boundAt,
    awaiting,
    changes: await readSecurityChanges(db, memberId),
    frozen: await freezes.current(memberId),
    proposals: await readWaitingAbout(db, memberId, parts.clock.now()),
    sameCard: await readOthers(parts, await wallet.accounts.sharedWith(memberId)),
    ...(await parts.notes.latest(memberId)),
  }
}

/** @throws ApiError `FREEZE_PROPOSED`: who proposed it may know what the approval would overlook */
export async function assertNoFreezeProposed(
  { db, clock }: Pick<LastingFactsParts, 'db' | 'clock'>,
  memberId: string,
): Promise<void> {
  const open = await readWaitingAbout(db, memberId, clock.now())
  if (open.some(({ act }) => act === 'members.freeze')) throw new ApiError('FREEZE_PROPOSED')
}
