import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod/mini'
import { officeRoutes } from '../../../contract/office/routes.ts'
import type { OfficeCallName } from '../../../contract/office/roles.ts'
import type { StaffRole } from '../../../contract/office/staff.ts'
import type { Route, RouteReply, RouteRequest } from '../../../contract/route.ts'
import { asOffice } from '../../platform/db/roles/roleContext.ts'
import type { GuardedCall } from './guard.ts'

/** What an office handler receives: the parsed parts of the request, and who acts. */
export type OfficeContext<R extends Route> = RouteRequest<R> & {
  actor: string
  /** Of the member of staff who acts; null with the desk key. */
  role: StaffRole | null
  reply: FastifyReply
}
export type OfficeCall = <const R extends Route>(
  route: R,
  handler: (context: OfficeContext<R>) => Promise<RouteReply<R> | Readable>,
  options?: Omit<GuardedCall, 'name'>,
) => void

/** Enough for a published file of 24,000 characters in the widest script, escaped. */
const bodyMaxBytes = 256 * 1024
const noBody = z.strictObject({})

const idOf = ({ method, path }: Route): string => `${method} ${path}`
const callNames = new Map(
  Object.entries(officeRoutes).flatMap(([noun, verbs]) =>
    Object.entries(verbs).map(([verb, route]) => [idOf(route), `${noun}.${verb}` as OfficeCallName] as const),
  ),
)

/** Mounts office routes on a scope that is protected by `guardCalls`. */
export const createOfficeCall =
  (scope: FastifyInstance): OfficeCall =>
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
      config: { office: { name: callNames.get(idOf(route)) ?? null, ...options } },
      handler: async (request, reply) => {
        const { params, query, body, officeActor: actor, staffPrincipal } = request
        const role = staffPrincipal?.staff.role ?? null
        const context = { params, query, body, actor, role, reply } as OfficeContext<typeof route>
        const answer = await asOffice(() => handler(context))
        if (reply.sent) return reply
        return reply.code(route.status).send(answer)
      },
    })
  }
