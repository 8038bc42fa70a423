import { and, desc, eq, inArray, isNull, lt, lte } from 'drizzle-orm'
import type { Language } from '../../contract/constants.ts'
import { messageKeys } from '../../contract/content.ts'
import type { Message, MessageKey, MessageParams } from '../../contract/content.ts'
import { readCursor } from '../cursor.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import { message } from '../db/schema/message.ts'
import type { MessageRow } from '../db/schema/message.ts'
import { toPagedList } from '../paging.ts'
import type { PagedList, PageRequest } from '../paging.ts'
import type { Clock, MemberBus, Random } from '../ports.ts'

/** One message to one member. `link` is a route of the client, such as `pages/order/detail?id=…`. */
export type MessageDraft<K extends MessageKey = MessageKey> = K extends MessageKey
  ? { memberId: string; key: K; params: MessageParams<K>; link?: string }
  : never

/** A message with its id, before it is written. */
export type NewMessage = Omit<MessageRow, 'no'>

/** What customer service writes itself, in one language. */
export type BackOfficeText = { title: string; body: string; lang: Language; link?: string }

/**
 * System messages. They are written inside the transaction of what they are about, so that neither is there without
 * the other; what comes back tells the members' sockets and is called once that is committed.
 */
export type Messages = {
  send(tx: Db | DbTransaction, ...drafts: readonly MessageDraft[]): Promise<() => void>
  /** Gives messages their ids, for {@link Messages.sendOnce}. */
  prepare(...drafts: readonly MessageDraft[]): NewMessage[]
  /** Writes those that are not there yet: they may be, if the answer to an earlier commit was lost. */
  sendOnce(tx: Db | DbTransaction, rows: readonly NewMessage[]): Promise<() => void>
  /** The same words to one member or to several. */
  write(tx: Db | DbTransaction, to: string | readonly string[], text: BackOfficeText): Promise<() => void>
  list(memberId: string, page: PageRequest): Promise<PagedList<Message>>
  /**
   * Marks these, or all there are, as read and tells the member's sockets of the newest 100; others' and unknown ones are
   * left alone.
   */
  markRead(memberId: string, which: Which): Promise<void>
  /** Forgets messages older than they are kept; how many. */
  prune(fence: Fence): Promise<number>
}

/** Read messages that the member's other windows hear of, newest first: as many as a page of the list has at most. */
const publishedMax = 100
const markReadBatchSize = 1000
/** Half a year, and what was then never read goes with the rest. */
const retentionMs = 183 * 86_400_000

type MessagesParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Pick<Random, 'uuid'>
  bus: MemberBus
}
type Which = { ids: readonly string[] } | { all: true }

export function createMessages(parts: MessagesParts): Messages {
  const { db, clock, random, bus } = parts
  const publish = (rows: readonly NewMessage[]) => () => {
    for (const row of rows) bus.emit(row.memberId, 'message', messageOf(row))
  }
  const insertMessages = async (tx: Db | DbTransaction, rows: NewMessage[]): Promise<() => void> => {
    if (rows.length > 0) await tx.insert(message).values(rows)
    return publish(rows)
  }
  const newMessage = () => ({ id: random.uuid(), at: clock.now(), readAt: null })
  const prepare = (...drafts: readonly MessageDraft[]): NewMessage[] =>
    drafts.map(({ memberId, key, params, link }) => ({
      ...newMessage(),
      memberId,
      key,
      params,
      link: link ?? null,
      category: messageKeys[key].category,
      title: null,
      body: null,
      lang: null,
    }))
  return {
    send: (tx, ...drafts) => insertMessages(tx, prepare(...drafts)),
    prepare,
    sendOnce: async (tx, rows) => publish(await writeMissing(tx, rows)),
    write: (tx, to, { title, body, lang, link }) => {
      const { category } = messageKeys.desk
      const text = { category, key: 'desk', params: {}, title, body, lang, link: link ?? null }
      return insertMessages(
        tx,
        [to].flat().map((memberId) => ({ ...newMessage(), memberId, ...text })),
      )
    },
    list: async (memberId, { limit, cursor }) => {
      const after = readCursor(cursor)
      const rows = await db
        .select()
        .from(message)
        .where(and(eq(message.memberId, memberId), after ? lt(message.no, after[0]) : undefined))
        .orderBy(desc(message.no))
        .limit(limit + 1)
      return toPagedList(rows, limit, messageOf, ({ no }) => [no, ''])
    },
    markRead: (memberId, which) => markRead(parts, memberId, which),
    prune: async (fence) => {
      const old = lt(message.at, clock.now() - retentionMs)
      const deleted = await fence.transaction(db, (tx) => tx.delete(message).where(old))
      return deleted.rowCount ?? 0
    },
  }
}

async function markRead({ db, clock, bus }: MessagesParts, memberId: string, which: Which): Promise<void> {
  const unread = and(
    eq(message.memberId, memberId),
    isNull(message.readAt),
    'ids' in which ? inArray(message.id, [...which.ids]) : undefined,
  )
  const newest = await db.select().from(message).where(unread).orderBy(desc(message.no)).limit(publishedMax)
  const [last] = newest
  if (!last) return
  const readAt = clock.now()
  // What arrives from here on is not read. Some at a time: a statement over all of them would hold up the rest.
  const some = db
    .select({ id: message.id })
    .from(message)
    .where(and(unread, lte(message.no, last.no)))
    .limit(markReadBatchSize)
  for (let count = markReadBatchSize; count === markReadBatchSize;) {
    const done = await db.update(message).set({ readAt }).where(inArray(message.id, some))
    count = done.rowCount ?? 0
  }
  for (const row of newest) bus.emit(memberId, 'message', messageOf({ ...row, readAt }))
}

/** Writes the rows that are not there yet; all of them as they are now. */
async function writeMissing(tx: Db | DbTransaction, rows: readonly NewMessage[]): Promise<NewMessage[]> {
  if (rows.length === 0) return []
  const written = await tx
    .insert(message)
    .values([...rows])
    .onConflictDoNothing({ target: message.id })
    .returning({ id: message.id })
  if (written.length === rows.length) return [...rows]
  const ids = rows.map(({ id }) => id)
  return tx.select().from(message).where(inArray(message.id, ids)).orderBy(message.no)
}

function messageOf(row: NewMessage): Message {
  const { id, category, key, params, title, body, lang, at, link } = row
  return { id, category, key, params, title, body, lang, at, read: row.readAt !== null, link }
}
