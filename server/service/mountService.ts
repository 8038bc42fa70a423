import type { FastifyInstance } from 'fastify'
import { contentRoutes } from '../../contract/content.ts'
import { mount } from '../http/mount.ts'
import type { Service } from './service.ts'

/** The member's side of the thread with customer service. */
export function mountService(app: FastifyInstance, service: Service): void {
  mount(app, contentRoutes.service, ({ member, query }) => service.list(member.memberId, query))
  mount(app, contentRoutes.writeService, ({ member, body }) => service.write(member.memberId, body))
}
