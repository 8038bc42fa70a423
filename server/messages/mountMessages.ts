import type { FastifyInstance } from 'fastify'
import { contentRoutes } from '../../contract/content.ts'
import { mount } from '../http/mount.ts'
import type { Messages } from './messages.ts'

/** A member's system messages. */
export function mountMessages(app: FastifyInstance, messages: Messages): void {
  mount(app, contentRoutes.messages, ({ member, query }) => messages.list(member.memberId, query))
  mount(app, contentRoutes.readMessages, async ({ member, body }) => {
    await messages.markRead(member.memberId, body)
    return undefined
  })
}
