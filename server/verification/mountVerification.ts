import type { FastifyInstance } from 'fastify'
import { walletRoutes } from '../../contract/wallet.ts'
import { mount } from '../http/mount.ts'
import type { Verifications } from './verification.ts'

/** Real-name verification: show and submit. */
export function mountVerification(app: FastifyInstance, verifications: Verifications): void {
  mount(app, walletRoutes.verification, ({ member }) => verifications.show(member.memberId))
  mount(app, walletRoutes.submitVerification, ({ member, body }) =>
    verifications.submit(member.memberId, body),
  )
}
