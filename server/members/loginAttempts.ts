import { backoffMs } from '../../contract/backoff.ts'
import { hourMs, minuteMs } from '../../contract/time.ts'
import { addressBlock } from '../http/rateLimiter.ts'
import type { Clock } from '../ports.ts'

/** From `captchaThreshold` failures on a log-in needs a captcha; from `lockThreshold` on it is locked for a while. */
const captchaThreshold = 3
const lockThreshold = 10
const lockDurationMs = 15 * minuteMs
/** Failures from which unknown devices have to wait: on one account from anywhere, and from one address on any account. */
const accountDelayThreshold = 4
const addressDelayThreshold = 10
/** The first wait. Each further failure doubles it, up to `maxDelayMs`. */
const initialDelayMs = 1000
const maxDelayMs = 30_000
const forgetAfterMs = hourMs
const maxCounts = 100_000

type FailureCount = { failures: number; at: number }

/** Who tries to log in. `device` is the id of a device that this account was used on before; null if it is unknown. */
export type LoginIdentity = { account: string; ip: string; device: string | null }
/** What a log-in has to pass now. Waits are in ms, 0 for none. */
export type LoginRestrictions = { lockedForMs: number; requiresCaptcha: boolean; waitMs: number }
/** A log-in in progress. It counts as failed until it succeeds or is discarded. */
export type LoginAttempt = {
  succeeded(): void
  /** The password was not checked, so the attempt does not count. */
  discard(): void
}

/**
 * Counts failed log-ins when they begin, so that many sent at once cannot all pass before the first one counts.
 * Captcha and lock are by account and address, or by account and device if the device is known, so that a member cannot
 * be locked out by someone else. Unknown devices also wait by account and by address, whatever password they send; known
 * devices never do. Accounts that do not exist are counted in the same way.
 */
export type LoginAttempts = {
  restrictions(who: LoginIdentity): LoginRestrictions
  begin(who: LoginIdentity): LoginAttempt
}

/** @param byAddress whether unknown devices also wait by their address */
export function createLoginAttempts(clock: Pick<Clock, 'now'>, byAddress: boolean): LoginAttempts {
  const counts = new Map<string, FailureCount>()
  const read = (key: string): FailureCount => {
    const count = counts.get(key)
    return count && clock.now() - count.at < forgetAfterMs ? count : { failures: 0, at: 0 }
  }
  const write = (key: string, count: FailureCount): void => {
    counts.delete(key)
    if (count.failures > 0) counts.set(key, count)
    // Drops the oldest first: a Map keeps insertion order.
    const [oldest] = counts.keys()
    if (counts.size > maxCounts && oldest !== undefined) counts.delete(oldest)
  }
  /** Counts one more failure and returns a function that takes it back. */
  const increment = (key: string): (() => void) => {
    const before = read(key)
    const at = clock.now()
    write(key, { failures: before.failures + 1, at })
    return () => {
      const now = read(key)
      write(key, { failures: Math.max(0, now.failures - 1), at: now.at === at ? before.at : now.at })
    }
  }
  const remainingDelay = (key: string, from: number): number => {
    const { failures, at } = read(key)
    if (failures < from) return 0
    const delayMs = backoffMs(failures - from + 1, initialDelayMs, maxDelayMs)
    return Math.max(0, at + delayMs - clock.now())
  }

  return {
    restrictions: (who) => {
      const count = read(identityKey(who))
      const remainingLockMs =
        count.failures < lockThreshold ? 0 : Math.max(0, count.at + lockDurationMs - clock.now())
      const waits = unknownDeviceKeys(who, byAddress).map(([key, from]) => remainingDelay(key, from))
      return {
        lockedForMs: remainingLockMs,
        requiresCaptcha: count.failures >= captchaThreshold,
        waitMs: Math.max(0, ...waits),
      }
    },
    begin: (who) => {
      const decrements = [
        increment(identityKey(who)),
        ...unknownDeviceKeys(who, byAddress).map(([key]) => increment(key)),
      ]
      const discard = (): void => decrements.forEach((decrement) => decrement())
      return {
        discard,
        succeeded: () => {
          discard()
          counts.delete(identityKey(who))
        },
      }
    },
  }
}

const identityKey = ({ account, ip, device }: LoginIdentity): string =>
  device === null ? `pair ${account} ${addressBlock(ip)}` : `device ${account} ${device}`

/** What the failures of an unknown device also count against, and the number from which it makes them wait. */
function unknownDeviceKeys(
  { account, ip, device }: LoginIdentity,
  byAddress: boolean,
): [key: string, from: number][] {
  if (device !== null) return []
  const accountKey: [string, number] = [`account ${account}`, accountDelayThreshold]
  return byAddress ? [accountKey, [`address ${addressBlock(ip)}`, addressDelayThreshold]] : [accountKey]
}
