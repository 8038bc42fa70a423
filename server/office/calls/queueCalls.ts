import { officeRoutes } from '../../../contract/office/routes.ts'
import { queueNames, type QueueName } from '../../../contract/office/queues.ts'
import { decidingCalls, mayCall } from '../../../contract/office/roles.ts'
import type { StaffRole } from '../../../contract/office/staff.ts'
import type { BusinessClock } from '../../money/index.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Route } from '../../../contract/route.ts'
import { createListLooks, type ListLooksParts } from './listLooks.ts'
import type { OfficeCall, OfficeContext } from './officeCall.ts'
import { actsOf } from './proposals.ts'
import { listDecided } from './decidedItems.ts'
import type { Queues, QueueWorker } from './queues.ts'

const worksOn = (role: StaffRole | null, queue: QueueName): boolean => mayCall(role, decidingCalls[queue])

export type QueueCallsParts = ListLooksParts & {
  queues: Queues
  business: Pick<BusinessClock, 'startOf' | 'today'>
}

/** The calls about queues. */
export function mountQueues(call: OfficeCall, { queues, business, ...parts }: QueueCallsParts): void {
  const { queues: routes } = officeRoutes
  /** @throws ApiError `FORBIDDEN` for a queue of other roles */
  const own = (role: StaffRole | null, queue: QueueName): QueueName => {
    if (!worksOn(role, queue)) throw new ApiError('FORBIDDEN')
    return queue
  }
  const workerOf = ({ role, actor }: Pick<OfficeContext<Route>, 'role' | 'actor'>): QueueWorker => ({
    actor,
    acts: actsOf(role),
  })
  call(
    routes.list,
    (context) =>
      queues.states(
        queueNames.filter((queue) => worksOn(context.role, queue)),
        workerOf(context),
      ),
    { isPolling: true },
  )
  /** Items name members, and those of conversations begin with their words. */
  const recordItems = new Map(
    queueNames.map((queue) => [
      queue,
      createListLooks(parts, queue === 'service' ? 'service_threads' : `queue_${queue}`),
    ]),
  )
  call(routes.show, async (context) => {
    const { role, params, query, actor } = context
    const queue = own(role, params.id)
    const page = await queues.list(queue, query, workerOf(context))
    await recordItems.get(queue)?.(actor)
    return page
  })
  call(routes.next, async (context) => {
    const { role, params, query, actor } = context
    const queue = own(role, params.id)
    const item = await queues.next(queue, workerOf(context), query)
    if (item) await recordItems.get(queue)?.(actor)
    return { item }
  })
  call(routes.decided, async ({ params, query, role, actor }) => {
    const since = business.startOf(business.today())
    return listDecided(parts.db, query, { queue: own(role, params.id), actor, since })
  })
  call(routes.claim, async (context) => ({
    claim: await queues.claim(own(context.role, context.params.id), context.body.item, workerOf(context)),
  }))
  call(routes.release, async ({ params, body, role, actor }) => ({
    released: await queues.release(own(role, params.id), body.item, actor),
  }))
}
