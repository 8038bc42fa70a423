import * as z from 'zod/mini'
import { route } from './route.ts'
import { id, instant, listOf, pageQuery } from './schema.ts'

/** A login of the member, or a try with a wrong password. */
export const loginEvent = z.object({
  id,
  at: instant,
  /** Browser and system; empty if unknown. */
  device: z.string(),
  /** Everything derived from the address: whether it is local, and its family. */
  network: z.enum(['local', 'ipv4', 'ipv6']),
  method: z.enum(['password', 'code', 'passkey']),
  result: z.enum(['succeeded', 'failed']),
  /** Whether the account was used on the device before. */
  known: z.boolean(),
  /** When the member denied it. */
  deniedAt: z.nullable(instant),
})
export type LoginEvent = z.infer<typeof loginEvent>

export const loginRoutes = {
  logins: route({
    method: 'GET',
    path: '/auth/logins',
    summary: 'Logins of the last 90 days, newest first',
    member: true,
    query: z.strictObject(pageQuery),
    status: 200,
    answer: listOf(loginEvent),
  }),
  denyLogin: route({
    method: 'POST',
    path: '/auth/logins/:id/deny',
    summary: 'Deny a login: all sessions end, and withdrawals are paused',
    member: true,
    params: z.object({ id }),
    status: 204,
    answer: null,
  }),
}
