import { createHash, hkdfSync } from 'node:crypto'

/** A key of its own for each purpose, from the one secret that lies outside the database. */
export function deriveKey(secret: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, new Uint8Array(), `uptick ${purpose}`, 32))
}

/** How ids of sessions and tokens are stored: they are 256 random bits, so a plain hash is enough. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
