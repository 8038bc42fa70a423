import { asc } from 'drizzle-orm'
import { defaultLanguage } from '../../../contract/constants.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import type { RouteRequest } from '../../../contract/route.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { ActLog, Messages, Uploads } from '../../notices/index.ts'
import type { Content } from '../content/content.ts'
import type { ArticleKind } from '../schema.ts'
import { member } from '../../platform/db/schema.ts'
import { isOpenAccount, type Service } from '../../members/index.ts'
import type { OfficeCall } from './officeCall.ts'
import type { IdResolver } from './idResolver.ts'
import { createListLooks, type ListLooksParts } from './listLooks.ts'
import type { Queues } from './queues.ts'

export type ContentAdminParts = ListLooksParts & {
  idResolver: IdResolver
  actLog: ActLog
  content: Pick<Content, 'versions'>
  messages: Pick<Messages, 'write'>
  service: Pick<Service, 'office'>
  queues: Pick<Queues, 'assertFree'>
  uploads: Pick<Uploads, 'receive'>
}

/** Addresses every member; too short to be the name of an account. */
const everyone = 'all'
const batchSize = 500

/** What customer service publishes: news, highlights and standing pages, messages and replies to members. */
export function mountContentAdmin(call: OfficeCall, parts: ContentAdminParts): void {
  const { content, service } = parts
  mountVersions(call, officeRoutes.news, 'news', content.versions)
  mountVersions(call, officeRoutes.highlights, 'highlight', content.versions)
  mountVersions(call, officeRoutes.pages, 'page', content.versions)
  call(officeRoutes.messages.send, async ({ body, actor, role }) => {
    // Support writes to single members; what all members read is published.
    if (body.to === everyone && role === 'support') throw new ApiError('FORBIDDEN')
    return { sent: await send(parts, body, actor) }
  })
  const recordThreads = createListLooks(parts, 'service_threads')
  call(officeRoutes.service.list, async ({ query, actor }) => {
    await recordThreads(actor)
    return service.office.list(query)
  })
  call(officeRoutes.service.show, ({ params, query, actor }) => service.office.show(params.id, query, actor))
  call(officeRoutes.service.done, async ({ params, actor }) => {
    const memberId = await service.office.memberOf(params.id)
    await parts.queues.assertFree('service', memberId, actor)
    return { read: await service.office.done(memberId, actor) }
  })
  call(officeRoutes.service.reopen, async ({ params, actor }) => ({
    unread: await service.office.reopen(params.id, actor),
  }))
  call(officeRoutes.service.reply, async ({ params, body, actor }) => {
    const memberId = await service.office.memberOf(params.id)
    await parts.queues.assertFree('service', memberId, actor)
    return service.office.reply(memberId, body, actor)
  })
}

/** @param call mounts on a scope that accepts multipart forms */
export function mountStaffPictures(
  call: OfficeCall,
  { service, uploads }: Pick<ContentAdminParts, 'service' | 'uploads'>,
): void {
  call(officeRoutes.service.picture, async ({ params, actor, reply }) => {
    const memberId = await service.office.memberOf(params.id)
    return uploads.receive(reply.request, { memberId, sentBy: actor }, ['service'])
  })
}

type PublishedNoun = 'news' | 'highlights' | 'pages'

/** Publishing of one kind, and the versions of what was published. */
function mountVersions(
  call: OfficeCall,
  routes: (typeof officeRoutes)[PublishedNoun],
  kind: ArticleKind,
  versions: Content['versions'],
): void {
  call(routes.publish, ({ body, actor }) => versions.publish(kind, body.file, actor))
  call(routes.versions, ({ params, query }) => versions.list(kind, params.id, query))
  call(routes.version, ({ params }) => versions.show(kind, params.id, params.version))
  call(routes.republish, ({ params, actor }) => versions.publishAgain(kind, params.id, params.version, actor))
}

type SendRequest = RouteRequest<typeof officeRoutes.messages.send>['body']

/** Writes to one member, or to all members in one transaction. Returns to how many. */
async function send(
  { db, idResolver, actLog, messages }: ContentAdminParts,
  { to, title, body, lang = defaultLanguage, link }: SendRequest,
  actor: string,
): Promise<number> {
  const recipient = to === everyone ? null : await idResolver.member(to)
  const text = { title, body, lang, ...(link !== undefined && { link }) }
  const { ids, notifications } = await db.transaction(async (tx) => {
    const ids =
      recipient === null
        ? (await tx.select({ id: member.id }).from(member).where(isOpenAccount).orderBy(asc(member.id))).map(
            ({ id }) => id,
          )
        : [recipient]
    const notifications: (() => void)[] = []
    for (let from = 0; from < ids.length; from += batchSize) {
      notifications.push(await messages.write(tx, ids.slice(from, from + batchSize), text))
    }
    await actLog.write(tx, {
      actor,
      act: 'message',
      subject: { kind: 'member', id: recipient ?? everyone },
      ...(recipient !== null && { memberId: recipient }),
      details: { lang, sent: ids.length },
    })
    return { ids, notifications }
  })
  for (const notify of notifications) notify()
  return ids.length
}
