import { deriveKey } from './keyDerivation.ts'

/** The keys that belong to a database, 64 hexadecimal characters each, derived from the venue's one; null without it. */
export type VenueKeys = {
  uploadKey: string | null
  idempotencyKey: string | null
  logKey: string | null
}

export const venueKeyRule = 'must be 64 hexadecimal characters'
export const noVenueKeys: VenueKeys = { uploadKey: null, idempotencyKey: null, logKey: null }

/**
 * Derives the keys of a database from a venue key.
 * @returns null if the text is none
 */
export function parseVenueKey(text: string): { [name in keyof VenueKeys]: string } | null {
  if (!/^[0-9a-f]{64}$/i.test(text)) return null
  const derive = (purpose: string): string => deriveKey(Buffer.from(text, 'hex'), purpose).toString('hex')
  return {
    uploadKey: derive('upload key'),
    idempotencyKey: derive('idempotency key'),
    logKey: derive('log key'),
  }
}
