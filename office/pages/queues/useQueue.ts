import type { Language } from '../../../contract/constants.ts'
import type { QueueName, QueueOrder, QueuePart } from '../../../contract/office/queues.ts'
import { decidingCalls } from '../../../contract/office/roles.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { useOfficeList } from '../../data/useOfficeCall.ts'
import { useMay } from '../../state/staff.ts'

/** As the call takes it: an order, and which items. Empty: all, in turn. */
export type Wanted = {
  order?: QueueOrder
  from?: string
  /** In minutes. */
  waited?: string
  show?: QueuePart
  picture?: 'with' | 'without'
  method?: string
  language?: Language
}

const everyMs = 5000

/**
 * What waits in a queue, asked again every five seconds, so that a colleague's claim is seen soon. Only a role that works
 * on the queue may ask: others open a request of it by a link.
 */
export function useQueue(queue: QueueName, wanted: Wanted) {
  const worksHere = useMay()(decidingCalls[queue])
  const list = useOfficeList(
    officeRoutes.queues.show,
    { params: { id: queue }, query: wanted },
    { enabled: worksHere, everyMs },
  )
  return { worksHere, list }
}
