import type { Event } from 'socket.io'
import type { Viewer } from './viewer.ts'

const eventsPerSecond = 20
const burst = 40
/** Refused in a row: by now it is no client in a hurry. */
const refusedMax = 200

/**
 * Lets 20 events a second through, of any name. What comes faster is answered `RATE_LIMITED` and otherwise ignored;
 * a socket that goes on regardless is cut.
 */
export function eventAllowance(clock: { now(): number }, viewer: Viewer) {
  let tokens = burst
  let at = clock.now()
  let refused = 0
  return (event: Event, next: () => void): void => {
    const now = clock.now()
    tokens = Math.min(burst, tokens + ((now - at) * eventsPerSecond) / 1000)
    at = now
    if (tokens >= 1) {
      tokens -= 1
      refused = 0
      next()
      return
    }
    refused += 1
    if (refused > refusedMax) {
      viewer.cut()
      return
    }
    const ack: unknown = event.at(-1)
    if (typeof ack === 'function') ack({ ok: false, code: 'RATE_LIMITED' })
  }
}
