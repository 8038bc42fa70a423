import type { QueueName } from '../../../contract/office/queues.ts'
import type { ReviewFilter } from '../../platform/paging.ts'
import type { IdResolver } from './idResolver.ts'
import type { Queues } from './queues.ts'

/** The filter of a list's query, which names a member by id or account. */
export const createReviewFilter =
  (idResolver: IdResolver) =>
  async <Status>({ status, memberId }: ReviewFilter<Status>): Promise<ReviewFilter<Status>> => ({
    status,
    ...(memberId !== undefined && { memberId: await idResolver.member(memberId) }),
  })

/** Returns the id of an item that no other member of staff holds. @throws ApiError `CLAIMED` */
export const createFreeItem =
  ({ queues }: { queues: Pick<Queues, 'assertFree'> }) =>
  async (queue: QueueName, id: string, actor: string): Promise<string> => {
    await queues.assertFree(queue, id, actor)
    return id
  }
