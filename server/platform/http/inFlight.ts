import { ApiError } from '../apiError.ts'

type InFlightCount = { total: number; costly: number }

type InFlightMax = { readonly address: InFlightCount; readonly session: InFlightCount }

/** How many requests one caller may have in flight. */
export const maxCallsInFlight: InFlightMax = {
  address: { total: 64, costly: 8 },
  session: { total: 16, costly: 4 },
}
/** How many sockets one caller may have; none of them is costly. */
export const maxSocketsInFlight: InFlightMax = {
  address: { total: 200, costly: 0 },
  session: { total: 10, costly: 0 },
}
/** It is unknown when a request in flight ends; a second is a reasonable time to retry. */
const retryAfterMs = 1000

/** One request from its first byte until its response is finished or its connection closed; or one socket while it is open. */
export type InFlightCall = {
  /**
   * Counts the request against its session from now on; returns false if it already is.
   * @throws ApiError 429 `RATE_LIMITED` if the session has as many in flight as it may
   */
  moveToSession(sessionId: string): boolean
  /** The request has ended; further calls do nothing. */
  release(): void
}
export type InFlightOwner = { address: string } | { sessionId: string }

export type InFlightLimiter = {
  /**
   * Counts a request against an address or a session.
   * @throws ApiError 429 `RATE_LIMITED` if the owner has as many in flight as it may
   */
  acquire(owner: InFlightOwner, costly: boolean): InFlightCall
}

export function createInFlightLimiter(max: InFlightMax): InFlightLimiter {
  const counts = new Map<string, InFlightCount>()
  const add = (key: string, costly: boolean, max: InFlightCount): void => {
    const count = counts.get(key) ?? { total: 0, costly: 0 }
    if (count.total >= max.total || (costly && count.costly >= max.costly)) {
      throw new ApiError('RATE_LIMITED', { params: { retryAfterMs } })
    }
    count.total += 1
    if (costly) count.costly += 1
    counts.set(key, count)
  }
  const remove = (key: string, costly: boolean): void => {
    const count = counts.get(key)
    if (!count) return
    count.total -= 1
    if (costly) count.costly -= 1
    if (count.total === 0) counts.delete(key)
  }
  return {
    acquire: (owner, costly) => {
      const bySession = 'sessionId' in owner
      let key: string | null = bySession ? `session ${owner.sessionId}` : `address ${owner.address}`
      add(key, costly, bySession ? max.session : max.address)
      return {
        moveToSession: (sessionId) => {
          const next = `session ${sessionId}`
          if (key === null || key === next) return false
          add(next, costly, max.session)
          remove(key, costly)
          key = next
          return true
        },
        release: () => {
          if (key !== null) remove(key, costly)
          key = null
        },
      }
    },
  }
}

const uncountedCall: InFlightCall = { moveToSession: () => false, release: () => undefined }

/** No limit, for practice mode and load tests. */
export const unlimitedInFlight: InFlightLimiter = { acquire: () => uncountedCall }
