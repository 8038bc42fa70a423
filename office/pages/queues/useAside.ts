import * as z from 'zod/mini'
import { exceptMax, type QueueName } from '../../../contract/office/queues.ts'
import { useKept } from '../../state/drafts.ts'

const none: readonly string[] = []
const idList = z.array(z.string())

/** The requests of a queue that the user has set aside. Kept in this tab: another screen in between changes nothing. */
export function useAside(queue: QueueName) {
  const [kept, keep] = useKept(`aside ${queue}`, idList)
  const ids: readonly string[] = kept ?? none
  return {
    ids,
    /** Returns all of them, the newest last. */
    add: (id: string): readonly string[] => {
      const all = [...ids.filter((one) => one !== id), id].slice(-exceptMax)
      keep(() => all)
      return all
    },
    remove: (id: string): void => keep((before) => before?.filter((one) => one !== id) ?? null),
  }
}
