import type { QueueName } from '../../../contract/office/queues.ts'
import { useSession } from '../../state/staff.ts'
import { useQueueItem } from './useQueueItem.ts'

/** The colleague who works on a request, who alone can decide it; null if it is not claimed. */
export function useHolder(queue: QueueName, id: string): string | null {
  const me = useSession().staff.name
  const claim = useQueueItem(queue, id)?.claim ?? null
  return claim === null || claim.by === me ? null : claim.by
}
