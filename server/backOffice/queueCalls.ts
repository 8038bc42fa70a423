import { backOfficeRoutes } from '../../contract/backOffice.ts'
import { queueNames } from '../../contract/backOffice/queues.ts'
import type { QueueName } from '../../contract/backOffice/queues.ts'
import { callRoles } from '../../contract/backOffice/roles.ts'
import type { BackOfficeCallName } from '../../contract/backOffice/roles.ts'
import type { StaffRole } from '../../contract/backOffice/staff.ts'
import { ApiError } from '../apiError.ts'
import type { Route } from '../../contract/route.ts'
import type { BackOfficeCall, BackOfficeContext } from './backOfficeCall.ts'
import { actsOf } from './proposals.ts'
import type { Queues, QueueWorker } from './queues.ts'

/** The call that takes an item out of a queue: who may make it works on the queue. */
const decidingCall: Readonly<Record<QueueName, BackOfficeCallName>> = {
  deposits: 'deposits.approve',
  withdrawals: 'withdrawals.approve',
  payments: 'withdrawals.pay',
  verifications: 'verifications.approve',
  'password-requests': 'password-requests.approve',
  service: 'service.reply',
  proposals: 'proposals.confirm',
}

const worksOn = (role: StaffRole | null, queue: QueueName): boolean =>
  role === null || callRoles[decidingCall[queue]].includes(role)

/** The calls about queues. */
export function mountQueues(call: BackOfficeCall, queues: Queues): void {
  const { queues: routes } = backOfficeRoutes
  /** @throws ApiError `FORBIDDEN` for a queue of other roles */
  const own = (role: StaffRole | null, queue: QueueName): QueueName => {
    if (!worksOn(role, queue)) throw new ApiError('FORBIDDEN')
    return queue
  }
  const workerOf = ({ role, actor }: Pick<BackOfficeContext<Route>, 'role' | 'actor'>): QueueWorker => ({
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
  call(routes.show, (context) =>
    queues.list(own(context.role, context.params.id), context.query, workerOf(context)),
  )
  call(routes.next, async (context) => ({
    item: await queues.next(own(context.role, context.params.id), workerOf(context)),
  }))
  call(routes.claim, async (context) => ({
    claim: await queues.claim(own(context.role, context.params.id), context.body.item, workerOf(context)),
  }))
  call(routes.release, async ({ params, body, role, actor }) => ({
    released: await queues.release(own(role, params.id), body.item, actor),
  }))
}
