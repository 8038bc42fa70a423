import type { FastifyInstance } from 'fastify'
import { actorName } from '../../contract/desk/parts.ts'
import { createLimits } from '../http/limits.ts'
import { hasDeskKey, isLocal } from '../http/loopback.ts'
import { Refusal } from '../http/refusal.ts'
import type { Clock } from '../ports.ts'

export type GuardParts = {
  clock: Pick<Clock, 'now'>
  deskKey: string
  /** Whether other machines may knock at all. */
  remote: boolean
  /** Whether each call must say who makes it. */
  nameRequired: boolean
}

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be augmented
  interface FastifyRequest {
    /** Who acts at the desk, as the audit keeps it; empty outside of it. */
    deskActor: string
  }
}

/** Who acts where nobody says so: in practice alone. */
const namelessActor = 'desk'

/**
 * Stands before every call of a scope: to other machines the desk is not there; the right key passes, whatever was
 * tried before it; failures are counted and refused. The key has 256 bits or was chosen with at least 16 characters, so
 * that ten tries a minute are no help. It counts by itself, so that it also does if the venue's other limits are off.
 */
export function guardDesk(scope: FastifyInstance, parts: GuardParts): void {
  const failures = createLimits(parts.clock)
  scope.decorateRequest('deskActor', '')
  scope.addHook('onRequest', async (request) => {
    if (!parts.remote && !isLocal(request)) throw new Refusal(404, 'NOT_FOUND')
    if (!hasDeskKey(request, parts.deskKey)) {
      failures.take('deskKey', request.ip)
      throw new Refusal(401, 'UNAUTHENTICATED')
    }
    request.deskActor = actorOf(request.headers['desk-actor'], parts.nameRequired)
  })
}

/** @throws Refusal 400 with the code of `as`, the name that the command line gives it */
function actorOf(header: string | string[] | undefined, required: boolean): string {
  if (header === undefined) {
    if (required) throw new Refusal(400, 'VALIDATION', { fields: { as: 'REQUIRED' } })
    return namelessActor
  }
  const name = actorName.safeParse(decoded(String(header)))
  if (!name.success) throw new Refusal(400, 'VALIDATION', { fields: { as: 'INVALID' } })
  return name.data
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
