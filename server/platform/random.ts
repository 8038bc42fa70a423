import { randomBytes, randomUUID } from 'node:crypto'
import type { Random } from './ports.ts'

/** The system's cryptographic source. */
export const systemRandom: Random = { bytes: (length) => randomBytes(length), uuid: () => randomUUID() }

/** @returns so many random bytes in base64url: a secret that a link or a cookie may carry */
export const randomToken = (random: Pick<Random, 'bytes'>, byteCount: number): string =>
  Buffer.from(random.bytes(byteCount)).toString('base64url')

/** Crockford's base 32: has no letter that can be mistaken for a digit. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A random text of `length` characters of Crockford's base 32. */
export function randomBase32(random: Random, length: number): string {
  return Array.from(random.bytes(length), (byte) => alphabet[byte % alphabet.length]).join('')
}
