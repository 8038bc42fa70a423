import { asc } from 'drizzle-orm'
import { defaultLanguage } from '../../contract/constants.ts'
import { deskRoutes } from '../../contract/desk.ts'
import type { RouteRequest } from '../../contract/route.ts'
import type { Audit } from '../audit/audit.ts'
import type { Content } from '../content/content.ts'
import type { Db } from '../db/database.ts'
import { member } from '../db/schema/member.ts'
import type { Messages } from '../messages/messages.ts'
import type { Service } from '../service/service.ts'
import type { DeskCall } from './deskCall.ts'
import type { Names } from './names.ts'

export type WordsDeskParts = {
  db: Db
  names: Names
  audit: Audit
  content: Pick<Content, 'publish'>
  messages: Pick<Messages, 'write'>
  service: Pick<Service, 'desk'>
}

/** The name that stands for every member; too short to be an account's. */
const everyone = 'all'
const writtenAtOnce = 500

/** What the desk says: news and highlights to everybody, messages and replies to members. */
export function mountWordsDesk(call: DeskCall, parts: WordsDeskParts): void {
  const { content, service } = parts
  call(deskRoutes.news.publish, ({ body, actor }) => content.publish('news', body.file, actor))
  call(deskRoutes.highlights.publish, ({ body, actor }) => content.publish('highlight', body.file, actor))
  call(deskRoutes.messages.send, async ({ body, actor }) => ({ sent: await send(parts, body, actor) }))
  call(deskRoutes.service.list, ({ query }) => service.desk.list(query))
  call(deskRoutes.service.show, ({ params, query, actor }) => service.desk.show(params.id, query, actor))
  call(deskRoutes.service.reply, ({ params, body, actor }) => service.desk.reply(params.id, body.body, actor))
}

type Sent = RouteRequest<typeof deskRoutes.messages.send>['body']

/** Writes to one member, or to all of one moment: each has the message, or none has. */
async function send(
  { db, names, audit, messages }: WordsDeskParts,
  { to, title, body, lang = defaultLanguage, link }: Sent,
  actor: string,
): Promise<number> {
  const one = to === everyone ? null : await names.member(to)
  const text = { title, body, lang, ...(link !== undefined && { link }) }
  const { ids, tell } = await db.transaction(async (tx) => {
    const ids =
      one === null
        ? (await tx.select({ id: member.id }).from(member).orderBy(asc(member.id))).map(({ id }) => id)
        : [one]
    const tell: (() => void)[] = []
    for (let from = 0; from < ids.length; from += writtenAtOnce) {
      tell.push(await messages.write(tx, ids.slice(from, from + writtenAtOnce), text))
    }
    await audit.write(tx, {
      actor,
      act: 'message',
      subject: { kind: 'member', id: one ?? everyone },
      ...(one !== null && { memberId: one }),
      details: { lang, sent: ids.length },
    })
    return { ids, tell }
  })
  for (const each of tell) each()
  return ids.length
}
