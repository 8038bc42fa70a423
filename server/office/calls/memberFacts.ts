import { eq } from 'drizzle-orm'
import type { MemberFacts } from '../../../contract/office/memberFacts.ts'
import type { QueueName } from '../../../contract/office/queues.ts'
import { mayCall, type OfficeCallName } from '../../../contract/office/roles.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import type { StaffRole } from '../../../contract/office/staff.ts'
import { readSharedDevices, type Phones, type Service } from '../../members/index.ts'
import { type Ledger, readMemberTotals, readRecentRequests, type SelfLimitPolicy } from '../../money/index.ts'
import { ApiError } from '../../platform/apiError.ts'
import { member } from '../../platform/db/schema.ts'
import { readWaitingOf } from './foundStates.ts'
import type { OfficeCall } from './officeCall.ts'
import type { IdResolver } from './idResolver.ts'
import { readLastingFacts, readOthers, type LastingFactsParts } from './lastingFacts.ts'
import type { SeenFacts } from './seenFacts.ts'

export type MemberFactsParts = LastingFactsParts & {
  ledger: Pick<Ledger, 'assets'>
  phones: Pick<Phones, 'decrypt'>
  selfLimits: Pick<SelfLimitPolicy, 'show'>
  service: { office: Pick<Service['office'], 'writesIn'> }
}

/** What decides a request of a member: read only, and each look is a row of the act log. */
export function mountMemberFacts(
  call: OfficeCall,
  parts: MemberFactsParts & { idResolver: Pick<IdResolver, 'member'>; seen: Pick<SeenFacts, 'lookAtMember'> },
): void {
  call(officeRoutes.members.facts, async ({ params, actor, role }) => {
    const memberId = await parts.idResolver.member(params.id)
    await parts.seen.lookAtMember(memberId, actor)
    return readFacts(parts, memberId, role)
  })
}

/** Each request waits in a queue whose list names it; a conversation is none. */
const listedBy = {
  deposits: 'deposits.list',
  withdrawals: 'withdrawals.list',
  payments: 'withdrawals.list',
  verifications: 'verifications.list',
  'password-requests': 'password-requests.list',
} as const satisfies Partial<Record<QueueName, OfficeCallName>>
type RequestQueue = keyof typeof listedBy
const requestQueues = Object.keys(listedBy) as RequestQueue[]

async function readFacts(
  parts: MemberFactsParts,
  memberId: string,
  role: StaffRole | null,
): Promise<MemberFacts> {
  const { db, clock } = parts
  const [row] = await db.select().from(member).where(eq(member.id, memberId))
  if (!row) throw new ApiError('NOT_FOUND')
  const { id, account, createdAt, phoneSealed, withdrawalsRestUntil, verification } = row
  const listed = requestQueues.filter((queue) => mayCall(role, listedBy[queue]))
  const waiting = await readWaitingOf({ db, now: clock.now() }, [id], listed)
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
    sameDevice: await readOthers(parts, await readSharedDevices(db, id)),
    writesIn: await parts.service.office.writesIn(id),
    verification,
    waiting: waiting.map(({ queue, id: item, no, created_at: at }) => ({
      queue,
      id: item,
      no,
      createdAt: at,
    })),
    recent: await readRecentRequests(db, id),
  }
}
