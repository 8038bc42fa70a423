import { and, desc, eq, inArray, isNull, lt, sql, type AnyColumn, type SQL } from 'drizzle-orm'
import type { ServiceMessage } from '../../../contract/content.ts'
import { readCursor } from '../../platform/cursor.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { member } from '../../platform/db/schema.ts'
import { serviceMessage, type ServiceMessageRow } from '../schema.ts'
import { toPagedList, type PagedList, type PageRequest } from '../../platform/paging.ts'

/** A member's thread in the office's list, by its newest message, without the text. */
export type ServiceThread = {
  id: string
  memberId: string
  account: string
  at: number
  from: ServiceMessage['from']
  uploadId: string | null
  unread: number
}

/** Threads, ordered by their newest message. */
export async function listThreads(db: Db, page: PageRequest): Promise<PagedList<ServiceThread>> {
  const after = readCursor(page.cursor)
  const newest = db
    .selectDistinctOn([serviceMessage.memberId])
    .from(serviceMessage)
    .orderBy(serviceMessage.memberId, desc(serviceMessage.no))
    .as('newest')
  const rows = await db
    .select({
      no: newest.no,
      id: newest.id,
      memberId: newest.memberId,
      account: member.account,
      at: newest.at,
      from: newest.sender,
      uploadId: newest.uploadId,
      unread: unreadOf(newest.memberId),
    })
    .from(newest)
    .innerJoin(member, eq(member.id, newest.memberId))
    .where(after ? lt(newest.no, after[0]) : undefined)
    .orderBy(desc(newest.no))
    .limit(page.limit + 1)
  return toPagedList(
    rows,
    page.limit,
    ({ no: _no, ...thread }) => thread,
    ({ no }) => [no, ''],
  )
}

const unreadOf = (memberId: AnyColumn): SQL<number> => sql<number>`(
  SELECT count(*)::int FROM service_message u
  WHERE u.member_id = ${memberId} AND u.sender = 'member' AND u.read_at IS NULL)`

/** What a member wrote and nobody has read. */
const isUnread = and(eq(serviceMessage.sender, 'member'), isNull(serviceMessage.readAt))

/** Marks what a member wrote as read, and returns how many messages were not. */
export async function markRead(tx: DbTransaction, memberId: string, now: number): Promise<number> {
  const unread = and(eq(serviceMessage.memberId, memberId), isUnread)
  const { rowCount } = await tx.update(serviceMessage).set({ readAt: now }).where(unread)
  return rowCount ?? 0
}

/** Marks as unread again what was read last and not replied to, and returns how many messages that were. */
export async function markUnread(tx: DbTransaction, memberId: string): Promise<number> {
  const { rowCount } = await tx
    .update(serviceMessage)
    .set({ readAt: null })
    .where(
      and(
        eq(serviceMessage.memberId, memberId),
        eq(serviceMessage.sender, 'member'),
        sql`read_at = (SELECT max(read_at) FROM service_message WHERE member_id = ${memberId} AND sender = 'member')`,
        sql`no > coalesce((SELECT max(no) FROM service_message WHERE member_id = ${memberId} AND sender = 'desk'), 0)`,
      ),
    )
  return rowCount ?? 0
}

/** The newest unread message of each member. */
export const newestUnread = (db: Db, memberIds: readonly string[]): Promise<ServiceMessageRow[]> =>
  db
    .selectDistinctOn([serviceMessage.memberId])
    .from(serviceMessage)
    .where(and(inArray(serviceMessage.memberId, [...memberIds]), isUnread))
    .orderBy(serviceMessage.memberId, desc(serviceMessage.no))

/** Pictures may come without words: as many messages as are looked through for some. */
const wordless = 10

/** A member's own messages, newest first. */
export const newestOfMember = (db: Db, memberId: string): Promise<ServiceMessageRow[]> =>
  db
    .select()
    .from(serviceMessage)
    .where(and(eq(serviceMessage.memberId, memberId), eq(serviceMessage.sender, 'member')))
    .orderBy(desc(serviceMessage.no))
    .limit(wordless)
