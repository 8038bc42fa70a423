import type { Event } from 'socket.io'
import { TokenBucket } from '../tokenBucket.ts'

const eventRate = { calls: 20, perMs: 1000, burst: 40 } as const

/**
 * Allows 20 events per second of any name. Events above that are answered with `RATE_LIMITED` and otherwise ignored; a
 * socket that keeps sending is terminated by the limit on frames (`inboundLimit.ts`).
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
