import type { FastifyInstance } from 'fastify'
import { walletRoutes } from '../../contract/wallet.ts'
import { mount } from '../http/mount.ts'
import type { MemberLimits } from './limits.ts'

/** A member's own limits: shown, and set as a whole. */
export function mountLimits(app: FastifyInstance, limits: MemberLimits): void {
  mount(app, walletRoutes.limits, ({ member }) => limits.show(member.memberId))
  mount(app, walletRoutes.putLimits, ({ member, body }) => limits.put(member.memberId, body))
}
