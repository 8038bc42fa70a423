import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod/mini'
import { backOfficeRoutes } from '../../contract/backOffice.ts'
import type { BackOfficeCallName } from '../../contract/backOffice/roles.ts'
import type { StaffRole } from '../../contract/backOffice/staff.ts'
import type { Route, RouteReply, RouteRequest } from '../../contract/route.ts'
import { asOffice } from '../db/roles/roleContext.ts'
import type { GuardedCall } from './guard.ts'

/** What a back office handler receives: the parsed parts of the request, and who acts. */
export type BackOfficeContext<R extends Route> = RouteRequest<R> & {
  actor: string
  /** Of the member of staff who acts; null with the desk key. */
  role: StaffRole | null
  reply: FastifyReply
}
export type BackOfficeCall = <const R extends Route>(
  route: R,
  handler: (context: BackOfficeContext<R>) => Promise<RouteReply<R> | Readable>,
  options?: Omit<GuardedCall, 'name'>,
) => void

/** Enough for a published file of 24,000 characters in the widest script, escaped. */
const bodyMaxBytes = 256 * 1024
const noBody = z.strictObject({})

const idOf = ({ method, path }: Route): string => `${method} ${path}`
const callNames = new Map(
  Object.entries(backOfficeRoutes).flatMap(([noun, verbs]) =>
    Object.entries(verbs).map(
      ([verb, route]) => [idOf(route), `${noun}.${verb}` as BackOfficeCallName] as const,
    ),
  ),
)

/** Mounts back office routes on a scope that is protected by `guardBackOffice`. */
export const createBackOfficeCall =
  (scope: FastifyInstance): BackOfficeCall =>
  (route, handler, options = {}) => {
    scope.route({
      method: route.method,
      url: route.path,
      bodyLimit: bodyMaxBytes,
      schema: {
        hide: true,
        ...(route.params && { params: route.params }),
        querystring: route.query ?? z.strictObject({}),
        ...(route.method !== 'GET' && { body: route.body ?? noBody }),
      },
      config: { backOffice: { name: callNames.get(idOf(route)) ?? null, ...options } },
      handler: async (request, reply) => {
        const { params, query, body, backOfficeActor: actor, staffPrincipal } = request
        const role = staffPrincipal?.staff.role ?? null
        const context = { params, query, body, actor, role, reply } as BackOfficeContext<typeof route>
        const answer = await asOffice(() => handler(context))
        if (reply.sent) return reply
        return reply.code(route.status).send(answer)
      },
    })
  }
