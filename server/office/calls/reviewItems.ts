import type { QueueName } from '../../../contract/office/queues.ts'
import type { ActLog } from '../../notices/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { PageRequest, ReviewFilter } from '../../platform/paging.ts'
import type { IdResolver } from './idResolver.ts'
import type { Queues } from './queues.ts'

/** What lists of requests need. */
export type ListedParts = { db: Db; actLog: Pick<ActLog, 'look' | 'lookAtList'>; idResolver: IdResolver }
type ListQuery<Status> = PageRequest & ReviewFilter<Status>

/**
 * The filter of a list's query, which names a member by id or account. A list of one member's requests is a look at that
 * member; one of all members' is a row of the act log. @throws ApiError `RECORDS_LIMIT`
 */
export const createReviewFilter =
  ({ actLog, idResolver }: ListedParts) =>
  async <Status>(
    kind: QueueName,
    { status, memberId: named, cursor, limit }: ListQuery<Status>,
    actor: string,
  ): Promise<ReviewFilter<Status>> => {
    const seen = { actor, subject: { kind, id: 'list' }, details: { isFirst: cursor === undefined, limit } }
    if (named === undefined) {
      // At most so many: the row is written before the list is read.
      await actLog.lookAtList({ ...seen, shown: limit })
      return { status }
    }
    const memberId = await idResolver.member(named)
    await actLog.look({ ...seen, memberId })
    return { status, memberId }
  }

/** Returns the id of an item that no other member of staff holds. @throws ApiError `CLAIMED` */
export const createFreeItem =
  ({ queues }: { queues: Pick<Queues, 'assertFree'> }) =>
  async (queue: QueueName, id: string, actor: string): Promise<string> => {
    await queues.assertFree(queue, id, actor)
    return id
  }
