import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import { useDeskList } from '../../data/useDesk.ts'
import type { QueueName } from '../../../contract/backOffice/queues.ts'

/** Whose request it is: the queue's list names the account, and the answer does for a request that has left it. */
export function useMemberOf(
  queue: QueueName,
  request: { memberId: string; account?: unknown } | undefined,
): { id: string; account: string } | null {
  const { items } = useDeskList(backOfficeRoutes.queues.show, { params: { id: queue } })
  if (request === undefined) return null
  const listed = items.find(({ memberId }) => memberId === request.memberId)
  const named = typeof request.account === 'string' ? request.account : undefined
  return { id: request.memberId, account: listed?.account ?? named ?? request.memberId }
}
