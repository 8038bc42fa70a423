import type { QueueName } from '../../../contract/office/queues.ts'
import type { ActLog } from '../../notices/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { PagedList, PageRequest, ReviewFilter } from '../../platform/paging.ts'
import type { IdResolver } from './idResolver.ts'
import type { Queues } from './queues.ts'

/** What lists of requests need. */
export type ListedParts = { db: Db; actLog: Pick<ActLog, 'look' | 'lookAtList'>; idResolver: IdResolver }
type ListQuery<Status> = PageRequest & ReviewFilter<Status>

/**
 * Lists requests by a query that names a member by id or account. A list of one member's requests is a look at that
 * member; one of all members' is a row of the act log, which says how many it shows. @throws ApiError `RECORDS_LIMIT`
 */
export const createReviewList =
  ({ actLog, idResolver }: ListedParts) =>
  async <Status, Item>(
    kind: QueueName,
    { query, actor }: { query: ListQuery<Status>; actor: string },
    list: (page: PageRequest, filter: ReviewFilter<Status>) => Promise<PagedList<Item>>,
  ): Promise<PagedList<Item>> => {
    const { status, memberId: named, cursor, limit } = query
    const seen = { actor, subject: { kind, id: 'list' }, details: { isFirst: cursor === undefined, limit } }
    if (named === undefined) {
      const listed = await list(query, { status })
      await actLog.lookAtList({ ...seen, shown: listed.items.length })
      return listed
    }
    const memberId = await idResolver.member(named)
    await actLog.look({ ...seen, memberId })
    return list(query, { status, memberId })
  }

/** Returns the id of an item that no other member of staff holds. @throws ApiError `CLAIMED` */
export const createFreeItem =
  ({ queues }: { queues: Pick<Queues, 'assertFree'> }) =>
  async (queue: QueueName, id: string, actor: string): Promise<string> => {
    await queues.assertFree(queue, id, actor)
    return id
  }
