import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock, Random } from '../ports.ts'
import { deriveKey } from './keyDerivation.ts'

/** A device that was not used for so long is a stranger again. */
export const knownDeviceTtlMs = 365 * 24 * 60 * 60_000
/** Accounts that one browser is remembered for; the ones used longest ago go first. */
const maxAccounts = 5
const idBytes = 16
const idPattern = /^[\w-]{22}$/
const accountTagPattern = /^[0-9a-z]{1,11}~[\w-]{43}$/

/**
 * Tells devices on which an account was used before. A browser keeps one cookie, `id.mark.mark…`: a random id, and for
 * each account since when it is known and an HMAC of id, instant and account. It names no account, nothing is stored,
 * and one account's mark is worth nothing for another account or on another device.
 */
export type KnownDevices = {
  /** The device's id where the cookie shows that this account was used on it; else null. */
  identify(cookie: string | undefined, account: string): string | null
  /** The cookie's text from now on, when this account was used on the device. */
  remember(cookie: string | undefined, account: string): string
}

/** @param secret lies outside the database. Accounts are given as their key. */
export function createKnownDevices(
  secret: Uint8Array,
  clock: Pick<Clock, 'now'>,
  random: Pick<Random, 'bytes'>,
): KnownDevices {
  const key = deriveKey(secret, 'known device')
  const sign = (id: string, since: string, account: string): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([id, since, account]))
      .digest('base64url')
  const isValidTag = (id: string, mark: string, account: string): boolean => {
    const [since = '', given = ''] = mark.split('~')
    const own = Buffer.from(sign(id, since, account))
    return timingSafeEqual(own, Buffer.from(given)) && parseInt(since, 36) + knownDeviceTtlMs > clock.now()
  }
  return {
    identify: (cookie, account) => {
      const { id, marks } = read(cookie)
      return id !== null && marks.some((mark) => isValidTag(id, mark, account)) ? id : null
    },
    remember: (cookie, account) => {
      const given = read(cookie)
      const id = given.id ?? Buffer.from(random.bytes(idBytes)).toString('base64url')
      const since = clock.now().toString(36)
      const others = given.marks.filter((mark) => !isValidTag(id, mark, account))
      const own = `${since}~${sign(id, since, account)}`
      return [id, own, ...others.slice(0, maxAccounts - 1)].join('.')
    },
  }
}

/** A cookie's parts; what is not of their form is left out. */
function read(cookie = ''): { id: string | null; marks: string[] } {
  const [id = '', ...marks] = cookie.split('.')
  if (!idPattern.test(id)) return { id: null, marks: [] }
  return { id, marks: marks.filter((mark) => accountTagPattern.test(mark)).slice(0, maxAccounts) }
}
