import { asc } from 'drizzle-orm'
import { defaultLanguage } from '../../contract/constants.ts'
import { backOfficeRoutes } from '../../contract/backOffice.ts'
import type { RouteRequest } from '../../contract/route.ts'
import type { Audit } from '../audit/audit.ts'
import type { Content } from '../content/content.ts'
import type { Db } from '../db/database.ts'
import { member } from '../db/schema/member.ts'
import type { Messages } from '../messages/messages.ts'
import type { Service } from '../service/service.ts'
import type { BackOfficeCall } from './backOfficeCall.ts'
import type { IdResolver } from './idResolver.ts'

export type ContentAdminParts = {
  db: Db
  idResolver: IdResolver
  audit: Audit
  content: Pick<Content, 'publish'>
  messages: Pick<Messages, 'write'>
  service: Pick<Service, 'backOffice'>
}

/** The name that stands for every member; too short to be an account's. */
const everyone = 'all'
const writtenAtOnce = 500

/** What the desk says: news and highlights to everybody, messages and replies to members. */
export function mountContentAdmin(call: BackOfficeCall, parts: ContentAdminParts): void {
  const { content, service } = parts
  call(backOfficeRoutes.news.publish, ({ body, actor }) => content.publish('news', body.file, actor))
  call(backOfficeRoutes.highlights.publish, ({ body, actor }) =>
    content.publish('highlight', body.file, actor),
  )
  call(backOfficeRoutes.messages.send, async ({ body, actor }) => ({ sent: await send(parts, body, actor) }))
  call(backOfficeRoutes.service.list, ({ query }) => service.backOffice.list(query))
  call(backOfficeRoutes.service.show, ({ params, query, actor }) =>
    service.backOffice.show(params.id, query, actor),
  )
  call(backOfficeRoutes.service.reply, ({ params, body, actor }) =>
    service.backOffice.reply(params.id, body.body, actor),
  )
}

type SendRequest = RouteRequest<typeof backOfficeRoutes.messages.send>['body']

/** Writes to one member, or to all of one moment: each has the message, or none has. */
async function send(
  { db, idResolver, audit, messages }: ContentAdminParts,
  { to, title, body, lang = defaultLanguage, link }: SendRequest,
  actor: string,
): Promise<number> {
  const one = to === everyone ? null : await idResolver.member(to)
  const text = { title, body, lang, ...(link !== undefined && { link }) }
  const { ids, tell: notifications } = await db.transaction(async (tx) => {
    const ids =
      one === null
        ? (await tx.select({ id: member.id }).from(member).orderBy(asc(member.id))).map(({ id }) => id)
        : [one]
    const notifications: (() => void)[] = []
    for (let from = 0; from < ids.length; from += writtenAtOnce) {
      notifications.push(await messages.write(tx, ids.slice(from, from + writtenAtOnce), text))
    }
    await audit.write(tx, {
      actor,
      act: 'message',
      subject: { kind: 'member', id: one ?? everyone },
      ...(one !== null && { memberId: one }),
      details: { lang, sent: ids.length },
    })
    return { ids, tell: notifications }
  })
  for (const each of notifications) each()
  return ids.length
}
