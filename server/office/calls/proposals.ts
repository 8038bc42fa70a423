import { officeRoutes } from '../../../contract/office/routes.ts'
import { fourEyesActs, type FourEyesAct } from '../../../contract/office/fourEyes.ts'
import { mayCall } from '../../../contract/office/roles.ts'
import type { StaffRole } from '../../../contract/office/staff.ts'
import { ApiError } from '../../platform/apiError.ts'
import { readDeclined } from '../fourEyes/earlier.ts'
import type { FourEyes } from '../fourEyes/fourEyes.ts'
import { personOf } from './acts.ts'
import { createListLooks, type ListLooksParts } from './listLooks.ts'
import type { OfficeCall } from './officeCall.ts'
import type { Queues } from './queues.ts'
import type { SeenFacts } from './seenFacts.ts'

/** The acts that a role decides: who may propose one may decide another person's. */
export const actsOf = (role: StaffRole | null): FourEyesAct[] =>
  fourEyesActs.filter((act) => mayCall(role, act))

type Decider = { role: StaffRole | null; actor: string }

type ProposalCallsParts = ListLooksParts & {
  fourEyes: FourEyes
  queues: Pick<Queues, 'assertFree'>
  seen: Pick<SeenFacts, 'assertSeenFor'>
}

/** What one person proposed and another one decides. */
export function mountProposals(
  call: OfficeCall,
  { fourEyes, queues, seen, ...parts }: ProposalCallsParts,
): void {
  const { proposals: routes } = officeRoutes
  /** @throws ApiError `FORBIDDEN` for an act of other roles, `CLAIMED` if a colleague holds it */
  const own = async (id: string, { role, actor }: Decider): Promise<string> => {
    const { act } = await fourEyes.find(id)
    if (!mayCall(role, act)) throw new ApiError('FORBIDDEN')
    await queues.assertFree('proposals', id, actor)
    return id
  }
  /** Notes for the second person may be about members. */
  const recordList = createListLooks(parts, 'proposals')
  call(routes.list, async ({ query: { status, ...page }, role, actor }) => {
    await recordList(actor)
    const listed = await fourEyes.list(page, actsOf(role), status)
    const declined = await readDeclined(parts.db, listed.items)
    return { ...listed, items: listed.items.map((item, at) => ({ ...item, declined: declined[at] ?? [] })) }
  })
  call(routes.confirm, async (context) => {
    const id = await own(context.params.id, context)
    await seen.assertSeenFor(personOf(context), await fourEyes.find(id))
    return fourEyes.confirm(id, personOf(context))
  })
  call(routes.decline, async (context) => ({
    proposal: await fourEyes.decline(
      await own(context.params.id, context),
      personOf(context),
      context.body.reason,
    ),
  }))
  call(routes.cancel, async (context) => ({
    proposal: await fourEyes.cancel(context.params.id, personOf(context)),
  }))
}
