import { LRUCache } from 'lru-cache'
import { hourMs, minuteMs } from '../../../contract/time.ts'
import type { Clock } from '../../platform/ports.ts'
import { TokenBucket, type Rate } from '../../platform/tokenBucket.ts'
import type { MembersConfig } from '../settings.ts'
import type { OperatorSettings } from '../../platform/settings.ts'

/** Callers that are remembered; those that came last stay. */
const callersMax = 50_000

/**
 * What one address may do before its devices have to work for more: many people may be behind it, so it is never refused.
 * In memory, so each node counts by itself.
 */
export type Allowances = {
  /** Takes one from what the caller has free: false if there is none left. The caller is an address block, or a known device. */
  logIn(caller: string): boolean
  registration(caller: string): boolean
  recovery(caller: string): boolean
}

export function createAllowances(
  clock: Pick<Clock, 'now'>,
  { rateLimits, operatorConfig }: { rateLimits: boolean } & OperatorSettings<MembersConfig, 'freePerAddress'>,
): Allowances {
  if (!rateLimits) return { logIn: () => true, registration: () => true, recovery: () => true }
  const free = operatorConfig.freePerAddress
  const bucketsFor = (calls: number, perMs: number) => bucketsOf(clock, { calls, perMs, burst: calls })
  return {
    logIn: bucketsFor(free.logInsAMinute, minuteMs),
    registration: bucketsFor(free.registrationsAnHour, hourMs),
    recovery: bucketsFor(free.forgottenPasswordsAnHour, hourMs),
  }
}

function bucketsOf(clock: Pick<Clock, 'now'>, rate: Rate): (caller: string) => boolean {
  let buckets: LRUCache<string, TokenBucket> | undefined
  return (caller) => {
    // Made with the first caller: it takes all its memory at once.
    buckets ??= new LRUCache({ max: callersMax })
    const now = clock.now()
    const bucket = buckets.get(caller) ?? new TokenBucket(rate, now)
    buckets.set(caller, bucket)
    return bucket.take(now) === 0
  }
}
