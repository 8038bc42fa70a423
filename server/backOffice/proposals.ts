import { backOfficeRoutes } from '../../contract/backOffice.ts'
import { fourEyesActs } from '../../contract/backOffice/fourEyes.ts'
import type { FourEyesAct } from '../../contract/backOffice/fourEyes.ts'
import { callRoles } from '../../contract/backOffice/roles.ts'
import type { StaffRole } from '../../contract/backOffice/staff.ts'
import { ApiError } from '../apiError.ts'
import type { FourEyes } from '../fourEyes/fourEyes.ts'
import { personOf } from './acts.ts'
import type { BackOfficeCall } from './backOfficeCall.ts'
import type { Queues } from './queues.ts'

const mayDecide = (role: StaffRole | null, act: FourEyesAct): boolean =>
  role === null || callRoles[act].includes(role)

/** The acts that a role decides: who may propose one may decide another person's. */
export const actsOf = (role: StaffRole | null): FourEyesAct[] =>
  fourEyesActs.filter((act) => mayDecide(role, act))

type Decider = { role: StaffRole | null; actor: string }

/** What one person proposed and another one decides. */
export function mountProposals(
  call: BackOfficeCall,
  { fourEyes, queues }: { fourEyes: FourEyes; queues: Pick<Queues, 'assertFree'> },
): void {
  const { proposals: routes } = backOfficeRoutes
  /** @throws ApiError `FORBIDDEN` for an act of other roles, `CLAIMED` if a colleague holds it */
  const own = async (id: string, { role, actor }: Decider): Promise<string> => {
    const { act } = await fourEyes.find(id)
    if (!mayDecide(role, act)) throw new ApiError('FORBIDDEN')
    await queues.assertFree('proposals', id, actor)
    return id
  }
  call(routes.list, ({ query: { status, ...page }, role }) => fourEyes.list(page, actsOf(role), status))
  call(routes.confirm, async (context) =>
    fourEyes.confirm(await own(context.params.id, context), personOf(context)),
  )
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
