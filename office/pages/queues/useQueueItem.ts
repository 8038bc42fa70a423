import type { QueueItem, QueueName } from '../../../contract/office/queues.ts'
import { decidingCalls } from '../../../contract/office/roles.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { useOfficeCall } from '../../data/useOfficeCall.ts'
import { useMay } from '../../state/staff.ts'

const everyMs = 2000

/**
 * The open request as its queue has it, at any position; undefined once it no longer waits. Fetched again every two
 * seconds, so that a colleague's claim closes its buttons soon.
 */
export function useQueueItem(queue: QueueName, id: string | null): QueueItem | undefined {
  const enabled = useMay()(decidingCalls[queue]) && id !== null
  const { data } = useOfficeCall(
    officeRoutes.queues.show,
    { params: { id: queue }, query: { item: id ?? '' } },
    { enabled, everyMs },
  )
  return data?.items.find((item) => item.id === id)
}
