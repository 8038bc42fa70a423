import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { mutableCategories, type MessageMutes, type MutableCategory } from '../../../contract/content.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { message, messageMute, type MessageRow } from '../schema.ts'

/** A message with its id that is not stored yet. */
export type NewMessage = Omit<MessageRow, 'no'>

/** Replies of customer service are answers to the member: they cannot be muted with the other notices. */
const neverMuted = ['serviceReply']

/** SQL for whether the row `i` with `member_id`, `category` and `key` arrives as read. */
export const isMutedSql: SQL = sql`(i.key <> ALL (${sql.raw(`'{${neverMuted.join(',')}}'`)}) AND EXISTS (
  SELECT FROM message_mute m WHERE m.member_id = i.member_id AND m.category = i.category))`

/** The categories that a member has muted. */
export async function readMutes(db: Db, memberId: string): Promise<MessageMutes> {
  const rows = await db.select().from(messageMute).where(eq(messageMute.memberId, memberId))
  const muted = new Set(rows.map(({ category }) => category))
  return { muted: mutableCategories.filter((category) => muted.has(category)) }
}

/** Replaces the categories that a member has muted. Returns those that were not muted before. */
export async function replaceMutes(
  db: Db,
  memberId: string,
  muted: readonly MutableCategory[],
): Promise<MutableCategory[]> {
  return db.transaction(async (tx) => {
    const before = await tx.delete(messageMute).where(eq(messageMute.memberId, memberId)).returning()
    const values = [...new Set(muted)].map((category) => ({ memberId, category }))
    if (values.length > 0) await tx.insert(messageMute).values(values).onConflictDoNothing()
    return values
      .map(({ category }) => category)
      .filter((category) => before.every((row) => row.category !== category))
  })
}

/** The condition for messages of muted categories. */
export const ofCategories = (categories: readonly MutableCategory[]): SQL | undefined =>
  and(
    inArray(message.category, [...categories]),
    sql`${message.key} <> ALL (${sql.raw(`'{${neverMuted.join(',')}}'`)})`,
  )

/** Inserts messages; those of muted categories as read. Returns the rows as they are stored. */
export async function insertMessages(tx: Db | DbTransaction, rows: NewMessage[]): Promise<NewMessage[]> {
  if (rows.length === 0) return []
  const values = rows.map((row) => ({ ...row, readAt: mutedReadAt(row) }))
  const inserted = await tx
    .insert(message)
    .values(values)
    .returning({ id: message.id, readAt: message.readAt })
  return withReadAt(rows, inserted)
}

/** The rows with the instants at which the database marked them as read. */
export function withReadAt(
  rows: readonly NewMessage[],
  stored: readonly { id: string; readAt: number | null }[],
): NewMessage[] {
  const readAt = new Map(stored.map((row) => [row.id, row.readAt]))
  return rows.map((row) => ({ ...row, readAt: readAt.get(row.id) ?? row.readAt }))
}

const mutedReadAt = ({ memberId, category, key, at }: NewMessage): SQL<number | null> =>
  sql`(SELECT ${at}::bigint FROM (VALUES (${memberId}, ${category}, ${key})) AS i (member_id, category, key)
    WHERE ${isMutedSql})`
