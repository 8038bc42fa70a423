import type { Clock } from '../ports.ts'
import { Refusal } from './refusal.ts'

type Bucket = { tokens: number; at: number }
type Rate = { calls: number; perMs: number; burst: number }

const secondMs = 1000
const minuteMs = 60_000
const hourMs = 3_600_000

/** How often what may be called: tokens come back at `calls` per `perMs`, at most `burst` are kept. */
const rates = {
  /** Any call of a session that has no rate of its own. */
  session: { calls: 20, perMs: secondMs, burst: 100 },
  /** Calls without a session, by address: wide, because many visitors may share one. */
  visitor: { calls: 200, perMs: secondMs, burst: 2000 },
  orders: { calls: 10, perMs: secondMs, burst: 120 },
  login: { calls: 10, perMs: minuteMs, burst: 10 },
  registerCheck: { calls: 20, perMs: hourMs, burst: 20 },
  captcha: { calls: 60, perMs: minuteMs, burst: 60 },
  uploads: { calls: 20, perMs: hourMs, burst: 20 },
  deskKey: { calls: 10, perMs: minuteMs, burst: 10 },
} as const satisfies Record<string, Rate>
export type LimitName = keyof typeof rates

/** More callers than this and the map is swept of those whose bucket is full again. */
const callersMax = 50_000

export type Limits = {
  /** Takes one call from a caller's bucket; throws 429 `RATE_LIMITED` with `retryAfterMs` where it is empty. */
  take(name: LimitName, caller: string): void
  /** Whether a caller still has a call left, without taking it. */
  has(name: LimitName, caller: string): boolean
}

/** Token buckets in memory, on the venue's clock. */
export function createLimits(clock: Pick<Clock, 'now'>): Limits {
  const buckets = new Map<string, Bucket & { rate: Rate }>()
  const refill = (name: LimitName, caller: string): Bucket & { rate: Rate } => {
    const key = `${name} ${addressBlock(caller)}`
    const now = clock.now()
    const rate = rates[name]
    const bucket = buckets.get(key) ?? { tokens: rate.burst, at: now, rate }
    bucket.tokens = tokensAt(bucket, rate, now)
    bucket.at = now
    if (!buckets.has(key)) {
      if (buckets.size >= callersMax) sweep(buckets, now)
      buckets.set(key, bucket)
    }
    return bucket
  }
  return {
    take: (name, caller) => {
      const bucket = refill(name, caller)
      if (bucket.tokens < 1) {
        const { calls, perMs } = bucket.rate
        const retryAfterMs = Math.ceil(((1 - bucket.tokens) * perMs) / calls)
        throw new Refusal(429, 'RATE_LIMITED', { params: { retryAfterMs } })
      }
      bucket.tokens -= 1
    },
    has: (name, caller) => refill(name, caller).tokens >= 1,
  }
}

/** For practice and load tests: everything goes through. */
export const noLimits: Limits = { take: () => undefined, has: () => true }

function tokensAt(bucket: Bucket, rate: Rate, now: number): number {
  return Math.min(rate.burst, bucket.tokens + ((now - bucket.at) * rate.calls) / rate.perMs)
}

/** Forgets callers whose bucket is full again; were all of them busy, the oldest go, so that the map stays bounded. */
function sweep(buckets: Map<string, Bucket & { rate: Rate }>, now: number): void {
  for (const [key, bucket] of buckets) {
    if (tokensAt(bucket, bucket.rate, now) >= bucket.rate.burst) buckets.delete(key)
  }
  for (const key of buckets.keys()) {
    if (buckets.size < callersMax) break
    buckets.delete(key)
  }
}

/** An IPv6 customer holds a whole /64, so its addresses count as one; everything else counts as it is. */
export function addressBlock(caller: string): string {
  if (!caller.includes(':') || caller.startsWith('::ffff:')) return caller
  const [head = '', tail] = caller.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right]
  return `${groups.slice(0, 4).join(':')}::/64`
}
