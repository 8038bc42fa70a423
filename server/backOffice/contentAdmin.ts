import { asc } from 'drizzle-orm'
import { defaultLanguage } from '../../contract/constants.ts'
import { backOfficeRoutes } from '../../contract/backOffice.ts'
import type { RouteRequest } from '../../contract/route.ts'
import { ApiError } from '../apiError.ts'
import type { Audit } from '../audit/audit.ts'
import type { Content } from '../content/content.ts'
import type { Db } from '../db/database.ts'
import type { ArticleKind } from '../db/schema/content.ts'
import { member } from '../db/schema/member.ts'
import { isOpenAccount } from '../members/account.ts'
import type { Messages } from '../messages/messages.ts'
import type { Service } from '../service/service.ts'
import type { BackOfficeCall } from './backOfficeCall.ts'
import type { Uploads } from '../uploads/uploads.ts'
import type { IdResolver } from './idResolver.ts'
import type { Queues } from './queues.ts'

export type ContentAdminParts = {
  db: Db
  idResolver: IdResolver
  audit: Audit
  content: Pick<Content, 'versions'>
  messages: Pick<Messages, 'write'>
  service: Pick<Service, 'backOffice'>
  queues: Pick<Queues, 'assertFree'>
  uploads: Pick<Uploads, 'receive'>
}

/** Addresses every member; too short to be the name of an account. */
const everyone = 'all'
const batchSize = 500

/** What customer service publishes: news, highlights and standing pages, messages and replies to members. */
export function mountContentAdmin(call: BackOfficeCall, parts: ContentAdminParts): void {
  const { content, service } = parts
  mountVersions(call, backOfficeRoutes.news, 'news', content.versions)
  mountVersions(call, backOfficeRoutes.highlights, 'highlight', content.versions)
  mountVersions(call, backOfficeRoutes.pages, 'page', content.versions)
  call(backOfficeRoutes.messages.send, async ({ body, actor, role }) => {
    // Support writes to single members; what all members read is published.
    if (body.to === everyone && role === 'support') throw new ApiError('FORBIDDEN')
    return { sent: await send(parts, body, actor) }
  })
  call(backOfficeRoutes.service.list, ({ query }) => service.backOffice.list(query))
  call(backOfficeRoutes.service.show, ({ params, query, actor }) =>
    service.backOffice.show(params.id, query, actor),
  )
  call(backOfficeRoutes.service.reply, async ({ params, body, actor }) => {
    const memberId = await service.backOffice.memberOf(params.id)
    await parts.queues.assertFree('service', memberId, actor)
    return service.backOffice.reply(memberId, body, actor)
  })
}

/** @param call mounts on a scope that accepts multipart forms */
export function mountStaffPictures(
  call: BackOfficeCall,
  { service, uploads }: Pick<ContentAdminParts, 'service' | 'uploads'>,
): void {
  call(backOfficeRoutes.service.picture, async ({ params, actor, reply }) => {
    const memberId = await service.backOffice.memberOf(params.id)
    return uploads.receive(reply.request, { memberId, sentBy: actor }, ['service'])
  })
}

type PublishedNoun = 'news' | 'highlights' | 'pages'

/** Publishing of one kind, and the versions of what was published. */
function mountVersions(
  call: BackOfficeCall,
  routes: (typeof backOfficeRoutes)[PublishedNoun],
  kind: ArticleKind,
  versions: Content['versions'],
): void {
  call(routes.publish, ({ body, actor }) => versions.publish(kind, body.file, actor))
  call(routes.versions, ({ params, query }) => versions.list(kind, params.id, query))
  call(routes.version, ({ params }) => versions.show(kind, params.id, params.version))
  call(routes.republish, ({ params, actor }) => versions.publishAgain(kind, params.id, params.version, actor))
}

type SendRequest = RouteRequest<typeof backOfficeRoutes.messages.send>['body']

/** Writes to one member, or to all members in one transaction. Returns to how many. */
async function send(
  { db, idResolver, audit, messages }: ContentAdminParts,
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
    await audit.write(tx, {
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
