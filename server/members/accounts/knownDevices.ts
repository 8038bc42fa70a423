import { createHmac, timingSafeEqual } from 'node:crypto'
import { retention } from '../../../contract/retention.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import { deriveKey } from '../../platform/keyDerivation.ts'
import { randomToken } from '../../platform/random.ts'

/** A device that was not used for this long is unknown again. */
export const knownDeviceTtlMs = retention.knownDevice.ms
/** Accounts that one browser is remembered for. The least recently used are dropped first. */
const maxAccounts = 5
const idBytes = 16
const idPattern = /^[\w-]{22}$/
const accountTagPattern = /^[0-9a-z]{1,11}~[\w-]{43}$/

/**
 * Whose devices: the account's `accountKey`, and how often all its devices have become unknown (a new password, a login
 * that was denied).
 */
export type DeviceOwner = { account: string; epoch: number }

/**
 * Recognises devices on which an account was used before. A browser has one cookie, `id.tag.tag…`: a random id, and for
 * each account the time since when it is known and an HMAC of id, time, account and epoch. The cookie names no account, the
 * server stores no device, and the tag of one account is not valid for another account, on another device or in a later epoch.
 */
export type KnownDevices = {
  /** The device's id if the cookie proves that this account was used on it; otherwise null. */
  identify(cookie: string | undefined, owner: DeviceOwner): string | null
  /** The cookie's new value after this account was used on the device. */
  remember(cookie: string | undefined, owner: DeviceOwner): string
  /** The cookie's new value without this account; null if there is no valid cookie. */
  forget(cookie: string | undefined, owner: DeviceOwner): string | null
}

/**
 * @param secret is stored outside the database
 * @param of whose devices: a member and a person of the staff may have one name
 */
export function createKnownDevices(
  of: 'members' | 'staff',
  secret: Uint8Array,
  clock: Pick<Clock, 'now'>,
  random: Pick<Random, 'bytes'>,
): KnownDevices {
  const key = deriveKey(secret, of === 'staff' ? 'known device of staff' : 'known device')
  // Without the first epoch, as before there were any: those devices stay known.
  const sign = (id: string, since: string, { account, epoch }: DeviceOwner): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([id, since, account, ...(epoch === 0 ? [] : [epoch])]))
      .digest('base64url')
  const isValidTag = (id: string, tag: string, owner: DeviceOwner): boolean => {
    const [since = '', signature = ''] = tag.split('~')
    const expected = Buffer.from(sign(id, since, owner))
    return (
      timingSafeEqual(expected, Buffer.from(signature)) &&
      parseInt(since, 36) + knownDeviceTtlMs > clock.now()
    )
  }
  const othersOf = (id: string, tags: readonly string[], owner: DeviceOwner): string[] =>
    tags.filter((tag) => !isValidTag(id, tag, owner))
  return {
    identify: (cookie, owner) => {
      const { id, tags } = read(cookie)
      return id !== null && tags.some((tag) => isValidTag(id, tag, owner)) ? id : null
    },
    remember: (cookie, owner) => {
      const current = read(cookie)
      const id = current.id ?? randomToken(random, idBytes)
      const since = clock.now().toString(36)
      const others = othersOf(id, current.tags, owner)
      const own = `${since}~${sign(id, since, owner)}`
      return [id, own, ...others.slice(0, maxAccounts - 1)].join('.')
    },
    forget: (cookie, owner) => {
      const { id, tags } = read(cookie)
      return id === null ? null : [id, ...othersOf(id, tags, owner)].join('.')
    },
  }
}

/** The parts of a cookie; malformed ones are ignored. */
function read(cookie = ''): { id: string | null; tags: string[] } {
  const [id = '', ...tags] = cookie.split('.')
  if (!idPattern.test(id)) return { id: null, tags: [] }
  return { id, tags: tags.filter((tag) => accountTagPattern.test(tag)).slice(0, maxAccounts) }
}
