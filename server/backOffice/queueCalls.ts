import { backOfficeRoutes } from '../../contract/backOffice.ts'
import { queueNames } from '../../contract/backOffice/queues.ts'
import type { QueueName } from '../../contract/backOffice/queues.ts'
import { callRoles } from '../../contract/backOffice/roles.ts'
import type { BackOfficeCallName } from '../../contract/backOffice/roles.ts'
import type { StaffRole } from '../../contract/backOffice/staff.ts'
import { ApiError } from '../apiError.ts'
import type { BackOfficeCall } from './backOfficeCall.ts'
import type { Queues } from './queues.ts'

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
  call(
    routes.list,
    ({ role, actor }) =>
      queues.states(
        queueNames.filter((queue) => worksOn(role, queue)),
        actor,
      ),
    { isPolling: true },
  )
  call(routes.show, ({ params, query, role }) => queues.list(own(role, params.id), query))
  call(routes.next, async ({ params, role, actor }) => ({
    item: await queues.next(own(role, params.id), actor),
  }))
  call(routes.claim, async ({ params, body, role, actor }) => ({
    claim: await queues.claim(own(role, params.id), body.item, actor),
  }))
  call(routes.release, async ({ params, body, role, actor }) => ({
    released: await queues.release(own(role, params.id), body.item, actor),
  }))
}
