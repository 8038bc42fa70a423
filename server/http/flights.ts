import { Refusal } from './refusal.ts'

type Count = { any: number; costly: number }

type Maxima = { readonly address: Count; readonly session: Count }

/** How many calls one caller may have in flight. */
export const callsMax: Maxima = {
  address: { any: 64, costly: 8 },
  session: { any: 16, costly: 4 },
}
/** How many sockets one caller may have; none of them is costly. */
export const socketsMax: Maxima = {
  address: { any: 200, costly: 0 },
  session: { any: 10, costly: 0 },
}
/** Nobody knows when a call in flight ends; a second is a fair time to try again. */
const retryAfterMs = 1000

/** One call from its first byte until its answer is finished or its connection closed; or one socket while it lasts. */
export type Flight = {
  /**
   * Counts the call against its session from here on; false if it is counted there already.
   * @throws Refusal 429 `RATE_LIMITED` if the session has as many in flight as it may
   */
  board(sessionId: string): boolean
  /** The call is over; further calls do nothing. */
  leave(): void
}
export type FlightOwner = { address: string } | { sessionId: string }

export type Flights = {
  /**
   * Counts a call against an address or a session.
   * @throws Refusal 429 `RATE_LIMITED` if the owner has as many in flight as it may
   */
  enter(owner: FlightOwner, costly: boolean): Flight
}

export function createFlights(max: Maxima): Flights {
  const counts = new Map<string, Count>()
  const add = (key: string, costly: boolean, most: Count): void => {
    const count = counts.get(key) ?? { any: 0, costly: 0 }
    if (count.any >= most.any || (costly && count.costly >= most.costly)) {
      throw new Refusal(429, 'RATE_LIMITED', { params: { retryAfterMs } })
    }
    count.any += 1
    if (costly) count.costly += 1
    counts.set(key, count)
  }
  const remove = (key: string, costly: boolean): void => {
    const count = counts.get(key)
    if (!count) return
    count.any -= 1
    if (costly) count.costly -= 1
    if (count.any === 0) counts.delete(key)
  }
  return {
    enter: (owner, costly) => {
      const bySession = 'sessionId' in owner
      let key: string | null = bySession ? `session ${owner.sessionId}` : `address ${owner.address}`
      add(key, costly, bySession ? max.session : max.address)
      return {
        board: (sessionId) => {
          const next = `session ${sessionId}`
          if (key === null || key === next) return false
          add(next, costly, max.session)
          remove(key, costly)
          key = next
          return true
        },
        leave: () => {
          if (key !== null) remove(key, costly)
          key = null
        },
      }
    },
  }
}

/** For practice and load tests: any number. */
export const noFlights: Flights = { enter: () => ({ board: () => false, leave: () => undefined }) }
