import { hash, hkdfSync } from 'node:crypto'

/** Derives a separate key for each purpose from the one secret that is stored outside the database. */
export function deriveKey(secret: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, new Uint8Array(), `uptick ${purpose}`, 32))
}

/** The form in which session ids and tokens are stored: they are 256 random bits, so a plain hash is enough. */
export const sha256 = (text: string): string => hash('sha256', text, 'hex')
