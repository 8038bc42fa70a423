import type { Event } from 'socket.io'
import { TokenBucket } from '../http/tokenBucket.ts'

const eventRate = { calls: 20, perMs: 1000, burst: 40 } as const

/**
 * Lets 20 events a second through, of any name. What comes faster is answered `RATE_LIMITED` and otherwise ignored; a
 * socket that goes on regardless is cut by its frames (`intake.ts`).
 */
export function createEventRateLimit(clock: { now(): number }) {
  const bucket = new TokenBucket(eventRate, clock.now())
  return (event: Event, next: () => void): void => {
    if (bucket.take(clock.now()) === 0) {
      next()
      return
    }
    const ack: unknown = event.at(-1)
    if (typeof ack === 'function') ack({ ok: false, code: 'RATE_LIMITED' })
  }
}
