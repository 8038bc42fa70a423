import { addressBlock } from '../http/limits.ts'
import type { Clock } from '../ports.ts'

/** From this many failures on a log-in needs a captcha; from the second figure on it is locked for a while. */
const captchaFrom = 3
const lockFrom = 10
const lockedMs = 15 * 60_000
/** From so many failures on a stranger waits: on one account from anywhere, and from one address on any account. */
const accountWaitsFrom = 4
const addressWaitsFrom = 10
/** The first wait; each further failure doubles it, up to the longest. */
const firstWaitMs = 1000
const longestWaitMs = 30_000
const forgottenAfterMs = 60 * 60_000
const kept = 100_000

type Count = { failures: number; at: number }

/** Who tries to log in. `device` is the id of a device that this account was used on before; null for strangers. */
export type Who = { account: string; ip: string; device: string | null }
/** What stands before a log-in now. Waits are in ms, 0 for none. */
export type Barrier = { lockedMs: number; asksCaptcha: boolean; waitMs: number }
/** A log-in under way: it counts as failed until it is known to have succeeded or not to have been judged. */
export type Attempt = {
  succeeded(): void
  /** Nothing was found out about the password. */
  notJudged(): void
}

/**
 * Failed log-ins, counted when they begin, so that many at once are not judged before the first of them counts.
 * Captcha and lock go by account together with address, or with the device where it is known, so that nobody locks a
 * stranger out. Strangers also wait by account and by address, whatever password they send; a known device never does.
 * Accounts that nobody has count alike.
 */
export type Attempts = {
  barrier(who: Who): Barrier
  begin(who: Who): Attempt
}

/** @param byAddress whether strangers wait by their address too */
export function createAttempts(clock: Pick<Clock, 'now'>, byAddress: boolean): Attempts {
  const counts = new Map<string, Count>()
  const read = (key: string): Count => {
    const count = counts.get(key)
    return count && clock.now() - count.at < forgottenAfterMs ? count : { failures: 0, at: 0 }
  }
  const write = (key: string, count: Count): void => {
    counts.delete(key)
    if (count.failures > 0) counts.set(key, count)
    // The oldest go first: a map keeps the order in which its keys came.
    const [oldest] = counts.keys()
    if (counts.size > kept && oldest !== undefined) counts.delete(oldest)
  }
  /** Counts one more; the answer takes it back. */
  const raise = (key: string): (() => void) => {
    const before = read(key)
    const at = clock.now()
    write(key, { failures: before.failures + 1, at })
    return () => {
      const now = read(key)
      write(key, { failures: Math.max(0, now.failures - 1), at: now.at === at ? before.at : now.at })
    }
  }
  const wait = (key: string, from: number): number => {
    const { failures, at } = read(key)
    if (failures < from) return 0
    const whole = Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - from))
    return Math.max(0, at + whole - clock.now())
  }

  return {
    barrier: (who) => {
      const own = read(ownKey(who))
      const left = own.failures < lockFrom ? 0 : Math.max(0, own.at + lockedMs - clock.now())
      const waits = strangersKeys(who, byAddress).map(([key, from]) => wait(key, from))
      return { lockedMs: left, asksCaptcha: own.failures >= captchaFrom, waitMs: Math.max(0, ...waits) }
    },
    begin: (who) => {
      const takeBack = [raise(ownKey(who)), ...strangersKeys(who, byAddress).map(([key]) => raise(key))]
      const notJudged = (): void => takeBack.forEach((one) => one())
      return {
        notJudged,
        succeeded: () => {
          notJudged()
          counts.delete(ownKey(who))
        },
      }
    },
  }
}

const ownKey = ({ account, ip, device }: Who): string =>
  device === null ? `pair ${account} ${addressBlock(ip)}` : `device ${account} ${device}`

/** What a stranger's failures also count against, and from how many on it makes strangers wait. */
function strangersKeys({ account, ip, device }: Who, byAddress: boolean): [key: string, from: number][] {
  if (device !== null) return []
  const ofAccount: [string, number] = [`account ${account}`, accountWaitsFrom]
  return byAddress ? [ofAccount, [`address ${addressBlock(ip)}`, addressWaitsFrom]] : [ofAccount]
}
