import type { Authenticator, Clock, Idempotency, Principal } from '../ports.ts'
import type { Downloads } from './downloads.ts'
import type { InFlightCall } from './inFlight.ts'
import type { RateLimitName, RateLimiter } from './rateLimiter.ts'

/** What stands between a request and its handler: built once, the same for every mounted call. */
export type RequestContext = {
  clock: Clock
  authenticator: Authenticator
  idempotency: Idempotency
  rateLimiter: RateLimiter
  downloads: Downloads
  /** The address that members use, where one is set: the only origin that may change anything. */
  publicOrigin: string | null
}

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be augmented
  interface FastifyInstance {
    requestContext: RequestContext
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be augmented
  interface FastifyRequest {
    /** Who is behind the request's cookie; null without a live session. */
    principal: Principal | null
    /** Lets a twin of a keyed call go on; null while no key is held. */
    releaseKey: (() => void) | null
    /** The request's place among those in flight; null before it is counted. */
    inFlightCall: InFlightCall | null
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be augmented
  interface FastifyContextConfig {
    /** Whether the call is one of those that one caller may have only a few of in flight. */
    costly?: boolean
    /** The rate that each call of an address takes from, instead of the visitors' one. */
    addressRate?: RateLimitName
  }
}
