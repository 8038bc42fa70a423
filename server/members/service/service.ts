import { and, desc, eq, inArray, isNull, lt, or } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { epochMs } from '../../../contract/units.ts'
import type { Language } from '../../../contract/constants.ts'
import { languageOfScript } from '../../../contract/scriptLanguage.ts'
import { isBlank } from '../../../contract/schema.ts'
import { contentRoutes, type ServiceMessage } from '../../../contract/content.ts'
import type { ActLog, Messages, Uploads } from '../../notices/index.ts'
import { readCursor } from '../../platform/cursor.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { serviceMessage, type ServiceMessageRow } from '../schema.ts'
import { member } from '../../platform/db/schema.ts'
import { ApiError } from '../../platform/apiError.ts'
import { accountMatches } from '../accounts/account.ts'
import { mount } from '../../platform/http/mount.ts'
import type { Module } from '../../platform/module.ts'
import { toPagedList, type PagedList, type PageRequest } from '../../platform/paging.ts'
import type { Clock, MemberBus, Random } from '../../platform/ports.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { createVault } from '../../platform/vault.ts'
import { createLooks } from './looks.ts'
import {
  listThreads,
  markRead,
  markUnread,
  newestOfMember,
  newestUnread,
  type ServiceThread,
} from './threads.ts'

/** The thread of each member with customer service. */
export type Service = {
  /** Both sides, newest first. Marks the replies it returns as read. */
  list(memberId: string, page: PageRequest): Promise<PagedList<ServiceMessage>>
  /** The same, and nothing is marked. */
  peek(memberId: string, page: PageRequest): Promise<PagedList<ServiceMessage>>
  /** Throws `VALIDATION` if there is neither text nor picture, or the picture is not an unused upload of the member. */
  write(memberId: string, text: { body: string; uploadId?: string | undefined }): Promise<ServiceMessage>
  office: {
    /** The member of a thread, by their id or account or a message in it. Throws `NOT_FOUND`. */
    memberOf(of: string): Promise<string>
    /** Threads, ordered by their newest message. */
    list(page: PageRequest): Promise<PagedList<ServiceThread>>
    /**
     * The thread of a member, or of any message in it, newest first; writes a row of the act log, for its newest page one in ten
     * minutes. Throws `NOT_FOUND`.
     */
    show(
      of: string,
      page: PageRequest,
      actor: string,
    ): Promise<PagedList<ServiceMessage> & { member?: Whose }>
    /** Marks the member's messages as read without a reply, and returns how many. Throws `NOT_FOUND`, `CONFLICT` if none is unread. */
    done(of: string, actor: string): Promise<number>
    /** Takes `done` back: they are unread again. Returns how many. Throws `NOT_FOUND`, `CONFLICT` if the last end was a reply. */
    reopen(of: string, actor: string): Promise<number>
    /** The beginning of the newest unread message of each member. The caller writes the row of the act log. */
    previews(memberIds: readonly string[]): Promise<ReadonlyMap<string, string>>
    /** The language that the script of the member's newest words gives away. */
    writesIn(memberId: string): Promise<Language | null>
    /**
     * `to` is a member, or any message of their thread. Marks the member's messages as read. Throws `NOT_FOUND`, and
     * `VALIDATION` as `write` does; the picture is an unused upload of the actor for this member.
     */
    reply(
      to: string,
      text: { body: string; uploadId?: string | undefined },
      actor: string,
    ): Promise<ServiceMessage>
  }
}

export type ServiceParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Random
  bus: MemberBus
  messages: Messages
  uploads: Pick<Uploads, 'use'>
  actLog: ActLog
  /** Messages may be confidential, so their text is encrypted at rest. */
  secrets: Pick<Secrets, 'uploadKey'>
}

type Whose = { account: string; language: Language | null }
/** As much of a message as a row of the queue shows. */
const previewMax = 120

type NewServiceMessage = Omit<ServiceMessageRow, 'no'>
type EncryptedBody = Pick<ServiceMessageRow, 'id' | 'bodySealed'>

export function createService(parts: ServiceParts): Service & Module {
  const { db, clock, random, bus, uploads } = parts
  const vault = createVault(parts.secrets.uploadKey, 'service messages', random)
  const newMessage = (memberId: string, body: string, uploadId: string | null) => {
    const id = random.uuid()
    return {
      id,
      memberId,
      bodySealed: vault.encrypt(body, id),
      uploadId,
      at: clock.now(),
      readAt: null,
    }
  }
  const bodyOf = ({ id, bodySealed }: EncryptedBody): string => vault.decrypt(bodySealed, id).toString()
  const viewOf = (row: NewServiceMessage): ServiceMessage => {
    const { id, sender, uploadId, at, readAt } = row
    return { id, from: sender, body: bodyOf(row), uploadId, at: epochMs(at), read: readAt !== null }
  }
  const toPage = (rows: readonly ServiceMessageRow[], { limit }: PageRequest) =>
    toPagedList(rows, limit, viewOf, ({ no }) => [no, ''])
  const service: Service = {
    peek: async (memberId, page) => toPage(await newestMessages(db, memberId, page), page),
    list: async (memberId, page) => {
      const rows = await newestMessages(db, memberId, page)
      const newlyRead = rows.filter(({ sender, readAt }) => sender === 'desk' && readAt === null)
      if (newlyRead.length > 0) {
        const ids = newlyRead.map(({ id }) => id)
        await db
          .update(serviceMessage)
          .set({ readAt: clock.now() })
          .where(and(inArray(serviceMessage.id, ids), isNull(serviceMessage.readAt)))
      }
      return toPage(rows, page)
    },
    write: async (memberId, { body, uploadId = null }) => {
      if (isBlank(body) && uploadId === null) throw invalid('body', 'REQUIRED')
      const row: NewServiceMessage = { ...newMessage(memberId, body, uploadId), sender: 'member' }
      await db.transaction((tx) => insertMessage(uploads, tx, row, null))
      const view = viewOf(row)
      bus.emit(memberId, 'service', view)
      return view
    },
    office: createServiceOffice(parts, { newMessage, viewOf, bodyOf }),
  }
  return { ...service, mount: (app) => mountRoutes(app, service) }
}

type ThreadMessages = {
  newMessage: (memberId: string, body: string, uploadId: string | null) => Omit<NewServiceMessage, 'sender'>
  viewOf: (row: NewServiceMessage) => ServiceMessage
  bodyOf: (row: EncryptedBody) => string
}

function createServiceOffice(
  parts: ServiceParts,
  { newMessage, viewOf, bodyOf }: ThreadMessages,
): Service['office'] {
  const { db, bus, actLog } = parts
  const looks = createLooks(parts.clock)
  /** One transaction with its row of the act log; nothing to change is a conflict. */
  const change = async (
    of: string,
    { actor, act }: { actor: string; act: string },
    work: (tx: DbTransaction, memberId: string) => Promise<number>,
  ): Promise<number> => {
    const memberId = await resolveMember(db, of)
    return db.transaction(async (tx) => {
      const changed = await work(tx, memberId)
      if (changed === 0) throw new ApiError('CONFLICT')
      await actLog.write(tx, { actor, act, subject: { kind: 'service_thread', id: memberId }, memberId })
      return changed
    })
  }
  return {
    memberOf: (of) => resolveMember(db, of),
    list: (page) => listThreads(db, page),
    show: async (of, page, actor) => {
      const memberId = await resolveMember(db, of)
      // Written first: no view without a row of the act log.
      if (page.cursor !== undefined || !looks.isCovered(actor, memberId)) {
        const subject = { kind: 'service_thread', id: memberId }
        await actLog.look({ actor, subject, memberId })
        looks.cover(actor, memberId)
      }
      const rows = await newestMessages(db, memberId, page)
      return {
        ...(page.cursor === undefined && { member: await whose(db, memberId) }),
        ...toPagedList(rows, page.limit, viewOf, ({ no }) => [no, '']),
      }
    },
    done: (of, actor) =>
      change(of, { actor, act: 'done' }, (tx, memberId) => markRead(tx, memberId, parts.clock.now())),
    reopen: (of, actor) => change(of, { actor, act: 'reopen' }, markUnread),
    previews: async (memberIds) => {
      const rows = await newestUnread(db, memberIds)
      return new Map(rows.map((row) => [row.memberId, bodyOf(row).slice(0, previewMax)]))
    },
    writesIn: async (memberId) => {
      const rows = await newestOfMember(db, memberId)
      return languageOfScript(rows.map(bodyOf).find((body) => !isBlank(body)) ?? '')
    },
    reply: async (to, { body, uploadId = null }, actor) => {
      if (isBlank(body) && uploadId === null) throw invalid('body', 'REQUIRED')
      const { row, notify } = await db.transaction((tx) =>
        insertReply(parts, tx, to, actor, (memberId) => ({
          ...newMessage(memberId, body, uploadId),
          sender: 'desk',
        })),
      )
      const view = viewOf(row)
      bus.emit(row.memberId, 'service', view)
      notify()
      return view
    },
  }
}

/** The member's side of the thread with customer service. */
function mountRoutes(app: FastifyInstance, service: Service): void {
  mount(app, contentRoutes.service, ({ member, query }) => service.list(member.memberId, query))
  mount(app, contentRoutes.writeService, ({ member, body }) => service.write(member.memberId, body))
}

/** A page of a member's thread, plus one row if there are more. */
function newestMessages(
  db: Db,
  memberId: string,
  { cursor, limit }: PageRequest,
): Promise<ServiceMessageRow[]> {
  const after = readCursor(cursor)
  return db
    .select()
    .from(serviceMessage)
    .where(and(eq(serviceMessage.memberId, memberId), after ? lt(serviceMessage.no, after[0]) : undefined))
    .orderBy(desc(serviceMessage.no))
    .limit(limit + 1)
}

/**
 * Inserts a message and uses up its picture.
 * @param sentBy the member of staff who sent the picture; null if the member did
 */
async function insertMessage(
  uploads: Pick<Uploads, 'use'>,
  tx: DbTransaction,
  row: NewServiceMessage,
  sentBy: string | null,
): Promise<void> {
  const { id, memberId, uploadId } = row
  if (uploadId !== null) {
    const by = { kind: 'service_message', id }
    const used = await uploads.use(tx, { id: uploadId, memberId, sentBy, purpose: 'service', by })
    if (!used) throw invalid('uploadId', 'INVALID')
  }
  await tx.insert(serviceMessage).values(row)
}

async function whose(db: Db, memberId: string): Promise<Whose> {
  const [row] = await db
    .select({ account: member.account, language: member.language })
    .from(member)
    .where(eq(member.id, memberId))
  if (!row) throw new ApiError('NOT_FOUND')
  return row
}

async function insertReply(
  parts: ServiceParts,
  tx: DbTransaction,
  to: string,
  actor: string,
  rowFor: (memberId: string) => NewServiceMessage,
): Promise<{ row: NewServiceMessage; notify: () => void }> {
  const { actLog, messages, uploads } = parts
  const memberId = await resolveMember(tx, to)
  const row = rowFor(memberId)
  await insertMessage(uploads, tx, row, actor)
  await markRead(tx, memberId, parts.clock.now())
  const subject = { kind: 'service_message', id: row.id }
  await actLog.write(tx, { actor, act: 'reply', subject, memberId })
  const link = 'pages/service/service'
  const notify = await messages.send(tx, { memberId, key: 'serviceReply', params: {}, link })
  return { row, notify }
}

/** The member of a thread, by a message in it or by the member's id or account. */
async function resolveMember(on: Db | DbTransaction, to: string): Promise<string> {
  const [message] = await on
    .select({ memberId: serviceMessage.memberId })
    .from(serviceMessage)
    .where(eq(serviceMessage.id, to))
  if (message) return message.memberId
  const [row] = await on
    .select({ id: member.id })
    .from(member)
    .where(or(eq(member.id, to), accountMatches(to)))
  if (!row) throw new ApiError('NOT_FOUND')
  return row.id
}

const invalid = (field: string, code: string): ApiError =>
  new ApiError('VALIDATION', { fields: { [field]: code } })
