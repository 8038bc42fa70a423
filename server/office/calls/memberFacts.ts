import { eq } from 'drizzle-orm'
import type { MemberFacts } from '../../../contract/office/memberFacts.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { readSharedDevices, type MemberNotes, type Phones } from '../../members/index.ts'
import { type Ledger, readMemberTotals, readRecentRequests, type SelfLimitPolicy } from '../../money/index.ts'
import { ApiError } from '../../platform/apiError.ts'
import { member } from '../../platform/db/schema.ts'
import type { Clock } from '../../platform/ports.ts'
import type { OfficeCall } from './officeCall.ts'
import type { IdResolver } from './idResolver.ts'
import { readAccounts, readLastingFacts, type LastingFactsParts } from './lastingFacts.ts'
import type { SeenFacts } from './seenFacts.ts'

export type MemberFactsParts = LastingFactsParts & {
  clock: Pick<Clock, 'now'>
  ledger: Pick<Ledger, 'assets'>
  notes: Pick<MemberNotes, 'latest'>
  phones: Pick<Phones, 'decrypt'>
  selfLimits: Pick<SelfLimitPolicy, 'show'>
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
    ...(await parts.notes.latest(id)),
    recent: await readRecentRequests(db, id),
  }
}
