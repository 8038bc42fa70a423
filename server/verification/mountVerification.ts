import type { FastifyInstance } from 'fastify'
import { verificationRoutes } from '../../contract/verification.ts'
import { mount } from '../http/mount.ts'
import type { Verifications } from './verification.ts'

/** Real-name verification: show and submit. */
export function mountVerification(app: FastifyInstance, verifications: Verifications): void {
  mount(app, verificationRoutes.verification, ({ member }) => verifications.show(member.memberId))
  mount(app, verificationRoutes.submitVerification, ({ member, body }) =>
    verifications.submit(member.memberId, body),
  )
}
