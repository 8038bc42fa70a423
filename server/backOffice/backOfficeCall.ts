import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod/mini'
import type { Route, RouteReply, RouteRequest } from '../../contract/route.ts'

/** What a back office handler receives: the parsed parts of the request, and who acts. */
export type BackOfficeContext<R extends Route> = RouteRequest<R> & { actor: string; reply: FastifyReply }
export type BackOfficeCall = <const R extends Route>(
  route: R,
  handler: (context: BackOfficeContext<R>) => Promise<RouteReply<R>>,
) => void

/** Enough for a published file of 24,000 characters in the widest script, escaped. */
const bodyMaxBytes = 256 * 1024
const noBody = z.strictObject({})

/** Mounts back office routes on a scope that is protected by `guardBackOffice`. */
export const createBackOfficeCall =
  (scope: FastifyInstance): BackOfficeCall =>
  (route, handler) => {
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
      handler: async (request, reply) => {
        const { params, query, body, backOfficeActor: actor } = request
        const context = { params, query, body, actor, reply } as BackOfficeContext<typeof route>
        const answer = await handler(context)
        if (reply.sent) return reply
        return reply.code(route.status).send(answer)
      },
    })
  }
