import type { FastifyInstance } from 'fastify'
import { walletRoutes } from '../../contract/wallet.ts'
import { mount } from '../http/mount.ts'
import type { SelfLimitPolicy } from './selfLimits.ts'

/** A member's own limits: shown, and replaced as a whole. */
export function mountSelfLimits(app: FastifyInstance, selfLimits: SelfLimitPolicy): void {
  mount(app, walletRoutes.limits, ({ member }) => selfLimits.show(member.memberId))
  mount(app, walletRoutes.putLimits, ({ member, body }) => selfLimits.put(member.memberId, body))
}
