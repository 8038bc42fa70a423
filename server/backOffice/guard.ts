import type { FastifyInstance } from 'fastify'
import { actorName } from '../../contract/backOffice/schema.ts'
import { createRateLimiter } from '../http/rateLimiter.ts'
import { hasBackOfficeKey, isLocal } from '../http/loopback.ts'
import { ApiError } from '../apiError.ts'
import type { Clock } from '../ports.ts'

export type GuardParts = {
  clock: Pick<Clock, 'now'>
  backOfficeKey: string
  /** Whether other machines may knock at all. */
  allowsRemote: boolean
  /** Whether each call must say who makes it. */
  requiresActor: boolean
}

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be augmented
  interface FastifyRequest {
    /** Who acts at the desk, as the audit keeps it; empty outside of it. */
    backOfficeActor: string
  }
}

/** Who acts where nobody says so: in practice alone. */
const defaultActor = 'desk'

/**
 * Stands before every call of a scope: to other machines the desk is not there; the right key passes, whatever was
 * tried before it; failures are counted and refused. The key has 256 bits or was chosen with at least 16 characters, so
 * that ten tries a minute are no help. It counts by itself, so that it also does if the venue's other limits are off.
 */
export function guardBackOffice(scope: FastifyInstance, parts: GuardParts): void {
  const failures = createRateLimiter(parts.clock)
  scope.decorateRequest('backOfficeActor', '')
  scope.addHook('onRequest', async (request) => {
    if (!parts.allowsRemote && !isLocal(request)) throw new ApiError(404, 'NOT_FOUND')
    if (!hasBackOfficeKey(request, parts.backOfficeKey)) {
      failures.take('deskKey', request.ip)
      throw new ApiError(401, 'UNAUTHENTICATED')
    }
    request.backOfficeActor = actorOf(request.headers['desk-actor'], parts.requiresActor)
  })
}

/** @throws ApiError 400 with the code of `as`, the name that the command line gives it */
function actorOf(header: string | string[] | undefined, required: boolean): string {
  if (header === undefined) {
    if (required) throw new ApiError(400, 'VALIDATION', { fields: { as: 'REQUIRED' } })
    return defaultActor
  }
  const name = actorName.safeParse(decoded(String(header)))
  if (!name.success) throw new ApiError(400, 'VALIDATION', { fields: { as: 'INVALID' } })
  return name.data
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
