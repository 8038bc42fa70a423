import type { FastifyRequest } from 'fastify'
import { ApiError } from '../apiError.ts'
import { isSecure } from './sessionCookie.ts'
import { relyingPartyOf, type RelyingParty } from './relyingParty.ts'

/** Where the passkeys of a request are valid. @throws ApiError `PASSKEYS_UNAVAILABLE` at an address without passkeys */
export function partyOf(request: FastifyRequest): RelyingParty {
  const { publicOrigin } = request.server.requestContext
  const party = relyingPartyOf(publicOrigin, request.headers.host, isSecure(request))
  if (!party) throw new ApiError('PASSKEYS_UNAVAILABLE')
  return party
}
