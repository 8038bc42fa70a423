import { createHmac, timingSafeEqual } from 'node:crypto'
import { dayMs } from '../../contract/time.ts'
import type { Clock, Random } from '../ports.ts'
import { deriveKey } from '../keyDerivation.ts'
import { randomToken } from '../random.ts'

/** A device that was not used for this long is unknown again. */
export const knownDeviceTtlMs = 365 * dayMs
/** Accounts that one browser is remembered for. The least recently used are dropped first. */
const maxAccounts = 5
const idBytes = 16
const idPattern = /^[\w-]{22}$/
const accountTagPattern = /^[0-9a-z]{1,11}~[\w-]{43}$/

/**
 * Recognizes devices on which an account was used before. A browser has one cookie, `id.tag.tag…`: a random id, and for
 * each account the time since when it is known and an HMAC of id, time and account. The cookie names no account, the
 * server stores nothing, and the tag of one account is not valid for another account or on another device.
 */
export type KnownDevices = {
  /** The device's id if the cookie proves that this account was used on it; otherwise null. */
  identify(cookie: string | undefined, account: string): string | null
  /** The cookie's new value after this account was used on the device. */
  remember(cookie: string | undefined, account: string): string
  /** The cookie's new value without this account; null if there is no valid cookie. */
  forget(cookie: string | undefined, account: string): string | null
}

/** @param secret is stored outside the database. Accounts are passed as their `accountKey`. */
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
  const isValidTag = (id: string, tag: string, account: string): boolean => {
    const [since = '', signature = ''] = tag.split('~')
    const expected = Buffer.from(sign(id, since, account))
    return (
      timingSafeEqual(expected, Buffer.from(signature)) &&
      parseInt(since, 36) + knownDeviceTtlMs > clock.now()
    )
  }
  const othersOf = (id: string, tags: readonly string[], account: string): string[] =>
    tags.filter((tag) => !isValidTag(id, tag, account))
  return {
    identify: (cookie, account) => {
      const { id, tags } = read(cookie)
      return id !== null && tags.some((tag) => isValidTag(id, tag, account)) ? id : null
    },
    remember: (cookie, account) => {
      const current = read(cookie)
      const id = current.id ?? randomToken(random, idBytes)
      const since = clock.now().toString(36)
      const others = othersOf(id, current.tags, account)
      const own = `${since}~${sign(id, since, account)}`
      return [id, own, ...others.slice(0, maxAccounts - 1)].join('.')
    },
    forget: (cookie, account) => {
      const { id, tags } = read(cookie)
      return id === null ? null : [id, ...othersOf(id, tags, account)].join('.')
    },
  }
}

/** The parts of a cookie; malformed ones are ignored. */
function read(cookie = ''): { id: string | null; tags: string[] } {
  const [id = '', ...tags] = cookie.split('.')
  if (!idPattern.test(id)) return { id: null, tags: [] }
  return { id, tags: tags.filter((tag) => accountTagPattern.test(tag)).slice(0, maxAccounts) }
}
