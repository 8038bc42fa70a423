import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import type { MemberFacts } from '../../../contract/office/memberFacts.ts'
import type { FourEyesAct } from '../../../contract/office/fourEyes.ts'
import { readSecurityChanges, type MemberNotes, type Verifications } from '../../members/index.ts'
import { type Freezes, readMemberTotals, type Wallet } from '../../money/index.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Db } from '../../platform/db/database.ts'
import { member } from '../../platform/db/schema.ts'
import type { Clock } from '../../platform/ports.ts'
import { proposal } from '../schema.ts'

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
    proposals: await readProposals(parts, memberId, actsAboutMember),
    sameCard: await readAccounts(db, await wallet.accounts.sharedWith(memberId)),
    ...(await parts.notes.latest(memberId)),
  }
}

const freezeActs: readonly FourEyesAct[] = ['members.freeze']
const actsAboutMember: readonly FourEyesAct[] = [
  ...freezeActs,
  'members.renew-freeze',
  'withdrawal-accounts.unbind',
]

/** What waits for a second person about a member, the oldest first. */
async function readProposals(
  { db, clock }: Pick<LastingFactsParts, 'db' | 'clock'>,
  memberId: string,
  acts: readonly FourEyesAct[],
): Promise<MemberFacts['proposals']> {
  const { id, act, proposedBy, proposedAt, status, expiresAt } = proposal
  const isOpen = and(eq(status, 'open'), gt(expiresAt, clock.now()))
  return db
    .select({ id, act, proposedBy, proposedAt })
    .from(proposal)
    .where(and(eq(proposal.memberId, memberId), inArray(act, [...acts]), isOpen))
    .orderBy(asc(proposedAt), asc(id))
}

/** @throws ApiError `FREEZE_PROPOSED`: who proposed it may know what the approval would overlook */
export async function assertNoFreezeProposed(
  parts: Pick<LastingFactsParts, 'db' | 'clock'>,
  memberId: string,
): Promise<void> {
  const open = await readProposals(parts, memberId, freezeActs)
  if (open.length > 0) throw new ApiError('FREEZE_PROPOSED')
}
