import { and, desc, eq, gte, inArray, isNull, lt, lte, ne, type SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { epochMs } from '../../../contract/units.ts'
import type { Language } from '../../../contract/constants.ts'
import {
  contentRoutes,
  messageKeys,
  type Message,
  type MessageKey,
  type MessageMutes,
  type MessageParams,
  type MessagesFilter,
  type MutableCategory,
} from '../../../contract/content.ts'
import type { PageLink } from '../../../contract/pagePaths.ts'
import { retention } from '../../../contract/retention.ts'
import { hourMs } from '../../../contract/time.ts'
import { ApiError } from '../../platform/apiError.ts'
import { readCursor } from '../../platform/cursor.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { message, type MessageRow } from '../schema.ts'
import { mount } from '../../platform/http/mount.ts'
import type { Module } from '../../platform/module.ts'
import { belowCursor, toPagedList, type PagedList, type PageRequest } from '../../platform/paging.ts'
import type { Clock, MemberBus, Random } from '../../platform/ports.ts'
import { insertMessages, ofCategories, readMutes, replaceMutes, type NewMessage } from './mutes.ts'
import { readResultGroups } from './resultGroups.ts'
import type { NoticesSettings } from '../settings.ts'

/** One message to one member. `link` is where it leads, such as `pages/order/detail?id=…`. */
export type MessageDraft<K extends MessageKey = MessageKey> = K extends MessageKey
  ? { memberId: string; key: K; params: MessageParams<K>; link?: PageLink }
  : never

/** A text by customer service, in one language. */
export type OfficeText = { title: string; body: string; lang: Language; link?: string }

/**
 * System messages. They are written inside the transaction of the event they are about, so that neither exists without
 * the other. The returned function notifies the members' sockets; call it after the commit.
 */
export type Messages = {
  send(tx: Db | DbTransaction, ...drafts: readonly MessageDraft[]): Promise<() => void>
  /** Assigns ids to messages that another statement writes. */
  prepare(...drafts: readonly MessageDraft[]): NewMessage[]
  /** Notifies the members' sockets of messages that another statement has written. */
  publish(rows: readonly NewMessage[]): void
  /** Notifies of those among the messages that are stored: of a commit whose result was lost. */
  republish(rows: readonly NewMessage[]): Promise<void>
  /** Sends the same text to one member or several. */
  write(tx: Db | DbTransaction, to: string | readonly string[], text: OfficeText): Promise<() => void>
  list(memberId: string, page: PageRequest, filter?: MessagesFilter): Promise<PagedList<Message>>
  /**
   * Marks these messages, or all, as read and publishes the newest 100 to the member's sockets. Ignores unknown ids and
   * those of other members.
   */
  markRead(memberId: string, which: Which): Promise<void>
  mutes(memberId: string): Promise<MessageMutes>
  /** Mutes these categories and no others; what is unread of newly muted ones is marked as read. */
  mute(memberId: string, muted: readonly MutableCategory[]): Promise<void>
  /** Deletes messages past their retention and returns how many. */
  prune(fence: Fence): Promise<number>
}

/** How many read messages are published to the member's other windows, newest first: the largest page of the list. */
const publishedMax = 100
const markReadBatchSize = 1000

type MessagesParts = {
  db: Db
  /** Used by the job. */
  fence: Fence
  clock: Pick<Clock, 'now'>
  random: Pick<Random, 'uuid'>
  bus: MemberBus
  settings: Pick<NoticesSettings, 'zone'>
}
type Which = { ids: readonly string[] } | { all: true }

export function createMessages(parts: MessagesParts): Messages & Module {
  const { db, clock, random, bus } = parts
  const publish = (rows: readonly NewMessage[]): void => {
    for (const row of rows) bus.emit(row.memberId, 'message', messageOf(row))
  }
  const insert = async (tx: Db | DbTransaction, rows: NewMessage[]): Promise<() => void> => {
    const stored = await insertMessages(tx, rows)
    return () => publish(stored)
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
  const messages: Messages = {
    send: (tx, ...drafts) => insert(tx, prepare(...drafts)),
    prepare,
    publish,
    republish: async (rows) => {
      if (rows.length > 0) publish(await readStored(db, rows))
    },
    write: (tx, to, { title, body, lang, link }) => {
      const { category } = messageKeys.desk
      const text = { category, key: 'desk', params: {}, title, body, lang, link: link ?? null }
      return insert(
        tx,
        [to].flat().map((memberId) => ({ ...newMessage(), memberId, ...text })),
      )
    },
    list: (memberId, page, filter = {}) =>
      filter.results === 'grouped'
        ? listGrouped(parts, memberId, page, filter)
        : listEach(db, memberId, page, filter),
    markRead: (memberId, which) =>
      markRead(parts, memberId, 'ids' in which ? inArray(message.id, [...which.ids]) : undefined),
    mutes: (memberId) => readMutes(db, memberId),
    mute: async (memberId, muted) => {
      const added = await replaceMutes(db, memberId, muted)
      if (added.length > 0) await markRead(parts, memberId, ofCategories(added))
    },
    prune: async (fence) => {
      const old = lt(message.at, clock.now() - retention.messages.ms)
      const deleted = await fence.transaction(db, (tx) => tx.delete(message).where(old))
      return deleted.rowCount ?? 0
    },
  }
  return {
    ...messages,
    mount: (app) => mountRoutes(app, messages),
    jobs: [{ name: 'prune messages', everyMs: hourMs, run: () => messages.prune(parts.fence) }],
  }
}

/** A member's system messages. */
function mountRoutes(app: FastifyInstance, messages: Messages): void {
  mount(app, contentRoutes.messages, ({ member, query: { limit, cursor, ...filter } }) =>
    messages.list(member.memberId, { limit, cursor }, filter),
  )
  mount(app, contentRoutes.messageMutes, ({ member }) => messages.mutes(member.memberId))
  mount(app, contentRoutes.putMessageMutes, async ({ member, body }) => {
    await messages.mute(member.memberId, body.muted)
    return messages.mutes(member.memberId)
  })
  mount(app, contentRoutes.readMessages, async ({ member, body }) => {
    await messages.markRead(member.memberId, body)
    return undefined
  })
}

/** Every message for itself, in the order in which they were written. */
async function listEach(
  db: Db,
  memberId: string,
  { limit, cursor }: PageRequest,
  filter: MessagesFilter,
): Promise<PagedList<Message>> {
  const after = readCursor(cursor)
  const rows = await db
    .select()
    .from(message)
    .where(and(ofMember(memberId, filter), after ? lt(message.no, after[0]) : undefined))
    .orderBy(desc(message.no))
    .limit(limit + 1)
  return toPagedList(rows, limit, messageOf, ({ no }) => [no, ''])
}

/** The results of each hour as one row, among the other messages; sorted by instant and id. */
async function listGrouped(
  { db, settings, clock }: MessagesParts,
  memberId: string,
  page: PageRequest,
  filter: MessagesFilter,
): Promise<PagedList<Message>> {
  // An hour is counted as a whole.
  if (filter.from !== undefined || filter.to !== undefined)
    throw new ApiError('VALIDATION', { fields: { results: 'INVALID' } })
  const { limit } = page
  const after = readCursor(page.cursor)
  const groups =
    filter.category === undefined || filter.category === 'trade'
      ? await readResultGroups(db, memberId, { limit, after }, { zone: settings.zone, now: clock.now() })
      : []
  const others =
    filter.category === 'trade'
      ? []
      : await db
          .select()
          .from(message)
          .where(
            and(
              ofMember(memberId, filter),
              ne(message.category, 'trade'),
              belowCursor(message.at, message.id, page),
            ),
          )
          .orderBy(desc(message.at), desc(message.id))
          .limit(limit + 1)
  const newestFirst = [...groups, ...others.map(messageOf)].sort(
    (a, b) => b.at - a.at || (a.id < b.id ? 1 : -1),
  )
  return toPagedList(
    newestFirst,
    limit,
    (item) => item,
    ({ at, id }) => [at, id],
  )
}

const ofMember = (memberId: string, { category, from, to }: MessagesFilter): SQL | undefined =>
  and(
    eq(message.memberId, memberId),
    category === undefined ? undefined : eq(message.category, category),
    from === undefined ? undefined : gte(message.at, from),
    to === undefined ? undefined : lte(message.at, to),
  )

/** @param which which of the member's messages; undefined for all */
async function markRead(
  { db, clock, bus }: MessagesParts,
  memberId: string,
  which: SQL | undefined,
): Promise<void> {
  const unread = and(eq(message.memberId, memberId), isNull(message.readAt), which)
  const newest = await db.select().from(message).where(unread).orderBy(desc(message.no)).limit(publishedMax)
  const [last] = newest
  if (!last) return
  const readAt = clock.now()
  // Messages that arrive after this stay unread. In batches: one statement over all of them would delay other queries.
  const batch = db
    .select({ id: message.id })
    .from(message)
    .where(and(unread, lte(message.no, last.no)))
    .limit(markReadBatchSize)
  for (let count = markReadBatchSize; count === markReadBatchSize;) {
    const updated = await db.update(message).set({ readAt }).where(inArray(message.id, batch))
    count = updated.rowCount ?? 0
  }
  for (const row of newest) bus.emit(memberId, 'message', messageOf({ ...row, readAt }))
}

function readStored(db: Db, rows: readonly NewMessage[]): Promise<MessageRow[]> {
  const ids = rows.map(({ id }) => id)
  return db.select().from(message).where(inArray(message.id, ids)).orderBy(message.no)
}

function messageOf(row: NewMessage): Message {
  const { id, category, key, params, title, body, lang, at, link } = row
  return { id, category, key, params, title, body, lang, at: epochMs(at), read: row.readAt !== null, link }
}
