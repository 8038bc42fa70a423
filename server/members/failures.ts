import type { Clock } from '../ports.ts'
import { addressBlock } from '../http/limits.ts'

/** From this many failures on a login needs a captcha; from the second figure on it is locked for a while. */
const captchaFrom = 3
const lockFrom = 10
/** So many failures on one account, whatever their addresses, ask everybody for a captcha; nobody is locked by it. */
const widespreadFrom = 50
const forgottenAfterMs = 60 * 60_000
const lockedMs = 15 * 60_000
const kept = 100_000

type Count = { failures: number; at: number }

/** Failed logins by account and address together, so that nobody locks a stranger out. Unknown accounts count alike. */
export type Failures = {
  /** How long this pair is still locked, in ms; 0 where it is not. */
  lockedFor(account: string, ip: string): number
  needsCaptcha(account: string, ip: string): boolean
  add(account: string, ip: string): void
  forget(account: string, ip: string): void
}

export function createFailures(clock: Pick<Clock, 'now'>): Failures {
  const counts = new Map<string, Count>()
  const everywhere = (account: string): string => account.toLowerCase()
  const pair = (account: string, ip: string): string => `${account.toLowerCase()} ${addressBlock(ip)}`
  const read = (key: string): Count => {
    const count = counts.get(key)
    return count && clock.now() - count.at < forgottenAfterMs ? count : { failures: 0, at: 0 }
  }
  const raise = (key: string): void => {
    const { failures } = read(key)
    counts.delete(key)
    counts.set(key, { failures: failures + 1, at: clock.now() })
    // The oldest go first: a map keeps the order in which its keys came.
    const [oldest] = counts.keys()
    if (counts.size > kept && oldest !== undefined) counts.delete(oldest)
  }
  const lockedFor: Failures['lockedFor'] = (account, ip) => {
    const { failures, at } = read(pair(account, ip))
    return failures < lockFrom ? 0 : Math.max(0, at + lockedMs - clock.now())
  }
  return {
    lockedFor,
    needsCaptcha: (account, ip) =>
      read(pair(account, ip)).failures >= captchaFrom || read(everywhere(account)).failures >= widespreadFrom,
    add: (account, ip) => {
      raise(pair(account, ip))
      raise(everywhere(account))
    },
    forget: (account, ip) => {
      counts.delete(pair(account, ip))
    },
  }
}
