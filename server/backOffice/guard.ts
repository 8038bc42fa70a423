import type { FastifyInstance } from 'fastify'
import { actorName } from '../../contract/backOffice/schema.ts'
import { createRateLimiter } from '../http/rateLimiter.ts'
import { hasBackOfficeKey, isLocal } from '../http/loopback.ts'
import { ApiError } from '../apiError.ts'
import type { Clock } from '../ports.ts'

export type GuardParts = {
  clock: Pick<Clock, 'now'>
  backOfficeKey: string
  /** Whether other machines may use the back office. */
  allowsRemote: boolean
  /** Whether each request must name who acts. */
  requiresActor: boolean
}

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be augmented
  interface FastifyRequest {
    /** Who acts in the back office, as recorded in the audit; empty elsewhere. */
    backOfficeActor: string
  }
}

/** The actor if the request names none, which is allowed only in practice mode. */
const defaultActor = 'desk'

/**
 * Guards every route of a scope. Other machines get 404, unless allowed. The right key always passes, even after failed
 * tries; failures are rejected and rate limited. The key has 256 bits or was chosen with at least 16 characters, so ten
 * tries a minute are useless. It has its own rate limiter, so that it works even if the venue's rate limits are off.
 */
export function guardBackOffice(scope: FastifyInstance, parts: GuardParts): void {
  const failures = createRateLimiter(parts.clock)
  scope.decorateRequest('backOfficeActor', '')
  scope.addHook('onRequest', async (request) => {
    if (!parts.allowsRemote && !isLocal(request)) throw new ApiError('NOT_FOUND')
    if (!hasBackOfficeKey(request, parts.backOfficeKey)) {
      failures.take('deskKey', request.ip)
      throw new ApiError('UNAUTHENTICATED')
    }
    request.backOfficeActor = actorOf(request.headers['desk-actor'], parts.requiresActor)
  })
}

/** @throws ApiError `VALIDATION` for the field `as`, its name on the command line */
function actorOf(header: string | string[] | undefined, required: boolean): string {
  if (header === undefined) {
    if (required) throw new ApiError('VALIDATION', { fields: { as: 'REQUIRED' } })
    return defaultActor
  }
  const name = actorName.safeParse(tryDecode(String(header)))
  if (!name.success) throw new ApiError('VALIDATION', { fields: { as: 'INVALID' } })
  return name.data
}

function tryDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
