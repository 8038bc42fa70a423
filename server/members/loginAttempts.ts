import { addressBlock } from '../http/rateLimiter.ts'
import type { Clock } from '../ports.ts'

/** From this many failures on a log-in needs a captcha; from the second figure on it is locked for a while. */
const captchaThreshold = 3
const lockThreshold = 10
const lockDurationMs = 15 * 60_000
/** From so many failures on a stranger waits: on one account from anywhere, and from one address on any account. */
const accountDelayThreshold = 4
const addressDelayThreshold = 10
/** The first wait; each further failure doubles it, up to the longest. */
const initialDelayMs = 1000
const maxDelayMs = 30_000
const forgetAfterMs = 60 * 60_000
const maxCounts = 100_000

type FailureCount = { failures: number; at: number }

/** Who tries to log in. `device` is the id of a device that this account was used on before; null for strangers. */
export type LoginIdentity = { account: string; ip: string; device: string | null }
/** What stands before a log-in now. Waits are in ms, 0 for none. */
export type LoginRestrictions = { lockedForMs: number; requiresCaptcha: boolean; waitMs: number }
/** A log-in under way: it counts as failed until it is known to have succeeded or not to have been judged. */
export type LoginAttempt = {
  succeeded(): void
  /** Nothing was found out about the password. */
  discard(): void
}

/**
 * Failed log-ins, counted when they begin, so that many at once are not judged before the first of them counts.
 * Captcha and lock go by account together with address, or with the device where it is known, so that nobody locks a
 * stranger out. Strangers also wait by account and by address, whatever password they send; a known device never does.
 * Accounts that nobody has count alike.
 */
export type LoginAttempts = {
  restrictions(who: LoginIdentity): LoginRestrictions
  begin(who: LoginIdentity): LoginAttempt
}

/** @param byAddress whether strangers wait by their address too */
export function createLoginAttempts(clock: Pick<Clock, 'now'>, byAddress: boolean): LoginAttempts {
  const counts = new Map<string, FailureCount>()
  const read = (key: string): FailureCount => {
    const count = counts.get(key)
    return count && clock.now() - count.at < forgetAfterMs ? count : { failures: 0, at: 0 }
  }
  const write = (key: string, count: FailureCount): void => {
    counts.delete(key)
    if (count.failures > 0) counts.set(key, count)
    // The oldest go first: a map keeps the order in which its keys came.
    const [oldest] = counts.keys()
    if (counts.size > maxCounts && oldest !== undefined) counts.delete(oldest)
  }
  /** Counts one more; the answer takes it back. */
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
    const delayMs = Math.min(maxDelayMs, initialDelayMs * 2 ** (failures - from))
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
      const discard = (): void => decrements.forEach((one) => one())
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

/** What a stranger's failures also count against, and from how many on it makes strangers wait. */
function unknownDeviceKeys(
  { account, ip, device }: LoginIdentity,
  byAddress: boolean,
): [key: string, from: number][] {
  if (device !== null) return []
  const accountKey: [string, number] = [`account ${account}`, accountDelayThreshold]
  return byAddress ? [accountKey, [`address ${addressBlock(ip)}`, addressDelayThreshold]] : [accountKey]
}
