import type { FastifyInstance } from 'fastify'
import { selfLimitRoutes } from '../../contract/selfLimits.ts'
import { mount } from '../http/mount.ts'
import type { SelfLimitPolicy } from './selfLimits.ts'

/** A member's own limits: shown, and replaced as a whole. */
export function mountSelfLimits(app: FastifyInstance, selfLimits: SelfLimitPolicy): void {
  mount(app, selfLimitRoutes.limits, ({ member }) => selfLimits.show(member.memberId))
  mount(app, selfLimitRoutes.putLimits, ({ member, body }) => selfLimits.put(member.memberId, body))
}
