import type { FastifyInstance } from 'fastify'
import { authRoutes } from '../../contract/auth.ts'
import { mount } from '../http/mount.ts'
import type { PasswordRequests } from './passwordRequests.ts'

/** Requests for a new login or transaction password. */
export function mountPasswordRequests(app: FastifyInstance, requests: PasswordRequests): void {
  mount(app, authRoutes.requestPassword, ({ member, body }) => requests.submit(member, body))
}
