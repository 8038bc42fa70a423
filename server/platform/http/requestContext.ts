import type { Route } from '../../../contract/route.ts'
import type { Authenticator, Clock, Idempotency, LockedKey, Principal } from '../ports.ts'
import type { Downloads } from './downloads.ts'
import type { InFlightCall } from './inFlight.ts'
import type { RateLimitName, RateLimiter } from './rateLimiter.ts'

/** What every request passes before its handler: built once, shared by all routes. */
export type RequestContext = {
  clock: Clock
  authenticator: Authenticator
  idempotency: Idempotency
  rateLimiter: RateLimiter
  downloads: Downloads
  freezes: {
    /** Until when the member may only read; null if not frozen. From memory. */
    frozenUntil(memberId: string): number | null
  }
  /** The origin of PUBLIC_URL, if set: the only one whose pages may send changing requests. */
  publicOrigin: string | null
}

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be augmented
  interface FastifyInstance {
    requestContext: RequestContext
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be augmented
  interface FastifyRequest {
    /** The member of the request's cookie; null without an active session. */
    principal: Principal | null
    /** The idempotency key that this request has locked; null without one. */
    lockedKey: Omit<LockedKey, 'proceed'> | null
    /** It failed because of the database: the log counts it instead of telling of it. */
    isCounted: boolean
    /** The request's place among those in flight; null before it is counted. */
    inFlightCall: InFlightCall | null
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be augmented
  interface FastifyContextConfig {
    /** The contract's route, for OpenAPI. */
    route?: Route
    /** Whether a caller may have only a few requests of this route in flight. */
    costly?: boolean
    /** The rate, by address, that requests take from instead of `visitor`. */
    addressRate?: RateLimitName
  }
}
