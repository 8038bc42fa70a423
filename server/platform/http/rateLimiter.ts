import { hourMs, minuteMs, secondMs } from '../../../contract/time.ts'
import type { Clock } from '../ports.ts'
import { TokenBucket, type Rate } from '../tokenBucket.ts'
import {
  maxCallsInFlight,
  createInFlightLimiter,
  unlimitedInFlight,
  maxSocketsInFlight,
  type InFlightLimiter,
} from './inFlight.ts'
import { ApiError } from '../apiError.ts'

/** The rates of the limiter. One request takes one token, and more for a long answer, see {@link rowsPerToken}. */
const rateLimits = {
  /** Any request of a session whose route has no rate of its own. */
  session: { calls: 20, perMs: secondMs, burst: 100 },
  /** All requests without a session, by address: high, because many visitors may share one. */
  visitor: { calls: 200, perMs: secondMs, burst: 2000 },
  /** Tiles of the public log, by address: so many at once that a month of leaves, about 20,000 tiles, can be verified. */
  tiles: { calls: 20, perMs: secondMs, burst: 24_000 },
  /** Idempotency keys looked up for a session, new or replayed: above `orders`, so that a retry is never rejected. */
  keys: { calls: 20, perMs: secondMs, burst: 240 },
  orders: { calls: 10, perMs: secondMs, burst: 120 },
  /**
   * Logins, by address: it bounds the load alone, because many people may share an address. Guesses are bounded by work
   * (`server/members/accounts/allowances.ts`).
   */
  login: { calls: 20, perMs: secondMs, burst: 400 },
  /** Registrations, and forgotten passwords, by address: a flood of them must not keep others there from logging in. */
  registration: { calls: 20, perMs: secondMs, burst: 400 },
  recovery: { calls: 20, perMs: secondMs, burst: 400 },
  passwordRequests: { calls: 5, perMs: minuteMs, burst: 10 },
  captcha: { calls: 5, perMs: secondMs, burst: 120 },
  uploads: { calls: 20, perMs: hourMs, burst: 20 },
  /** Archives of own data, by member: each reads all that the member has. */
  exports: { calls: 5, perMs: hourMs, burst: 5 },
  deskKey: { calls: 10, perMs: minuteMs, burst: 10 },
} as const satisfies Record<string, Rate>
export type RateLimitName = keyof typeof rateLimits

/** How many rows of an answer one token pays for. */
const rowsPerToken = { ticks: 200, candles: 100, items: 50 } as const
/** How many bytes one token pays for, of an answer that is one long text. */
export const bytesPerToken = 10_000
/** Extra tokens for a cookie without a session, because it was looked up in the database. */
export const unknownSessionCost = 2

/** Above this number of callers, those whose bucket is full again are removed from the map. */
const callersMax = 50_000

export type RateLimiter = InFlightLimiter & {
  /** Limits sockets instead of requests. */
  sockets: InFlightLimiter
  /** Takes one token from a caller's bucket; throws 429 `RATE_LIMITED` with `retryAfterMs` if it is empty. */
  take(name: RateLimitName, caller: string): void
  /** Takes tokens even if the bucket does not have them; a negative number returns tokens. */
  charge(name: RateLimitName, caller: string, tokens: number): void
}

/** Token buckets and requests in flight, in memory, on the venue's clock. */
export function createRateLimiter(clock: Pick<Clock, 'now'>): RateLimiter {
  const buckets = new Map<string, TokenBucket>()
  const byAddressBlock = (limiter: InFlightLimiter): InFlightLimiter => ({
    acquire: (owner, costly) =>
      limiter.acquire('address' in owner ? { address: addressBlock(owner.address) } : owner, costly),
  })
  const bucketOf = (name: RateLimitName, caller: string): TokenBucket => {
    const key = `${name} ${addressBlock(caller)}`
    const known = buckets.get(key)
    if (known) return known
    const now = clock.now()
    if (buckets.size >= callersMax) evictFull(buckets, now)
    const bucket = new TokenBucket(rateLimits[name], now)
    buckets.set(key, bucket)
    return bucket
  }
  return {
    take: (name, caller) => {
      const retryAfterMs = bucketOf(name, caller).take(clock.now())
      if (retryAfterMs > 0) throw new ApiError('RATE_LIMITED', { params: { retryAfterMs } })
    },
    charge: (name, caller, tokens) => bucketOf(name, caller).charge(clock.now(), tokens),
    ...byAddressBlock(createInFlightLimiter(maxCallsInFlight)),
    sockets: byAddressBlock(createInFlightLimiter(maxSocketsInFlight)),
  }
}

/** No limits, for practice mode and load tests. */
export const noRateLimits: RateLimiter = {
  ...unlimitedInFlight,
  sockets: unlimitedInFlight,
  take: () => undefined,
  charge: () => undefined,
}

/** The tokens an answer costs: one, or as many as its longest list of ticks, candles or rows takes. */
export function answerCost(answer: unknown): number {
  if (typeof answer !== 'object' || answer === null) return 1
  const rows = (name: keyof typeof rowsPerToken): number => {
    const list: unknown = Reflect.get(answer, name)
    return Array.isArray(list) ? Math.ceil(list.length / rowsPerToken[name]) : 0
  }
  return Math.max(1, rows('ticks'), rows('candles'), rows('items'))
}

/** Removes callers whose bucket is full again, then the oldest if needed, so that the map stays bounded. */
function evictFull(buckets: Map<string, TokenBucket>, now: number): void {
  for (const [key, bucket] of buckets) if (bucket.isFull(now)) buckets.delete(key)
  for (const key of buckets.keys()) {
    if (buckets.size < callersMax) break
    buckets.delete(key)
  }
}

/**
 * The part of an address that counts as one caller: an IPv6 customer has a whole /64. Some proxies append the port to
 * the address, and an IPv4 address may be written as IPv6. Returns other text unchanged.
 */
export function addressBlock(caller: string): string {
  const address = withoutPort(caller)
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right]
  return `${groups.slice(0, 4).join(':')}::/64`
}

function withoutPort(caller: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(caller)?.[1] ?? caller
  return /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/i.exec(bracketed)?.[1] ?? bracketed
}
