import { deriveKey } from './keyDerivation.ts'

/** The keys that belong to a database, 64 hexadecimal characters each; null is one that the text leaves to DATA_DIR. */
export type VenueKeys = {
  uploadKey: string | null
  idempotencyKey: string | null
  logKey: string | null
  /** Whether one key says all three. */
  isOneKey: boolean
}

export const venueKeyRule =
  'must be 64 hexadecimal characters, or the upload, idempotency and log key of an earlier build with colons between them'
export const noVenueKeys: VenueKeys = { uploadKey: null, idempotencyKey: null, logKey: null, isOneKey: false }

const keyPattern = /^[0-9a-f]{64}$/i

/**
 * Reads a venue key: one key that the three are derived from, or `UPLOAD:IDEMPOTENCY:LOG`, the keys of a venue of an earlier
 * build, whose rows cannot be read with others. One of these may be empty: it is in a file of the data folder.
 * @returns null if the text is neither
 */
export function parseVenueKey(text: string): VenueKeys | null {
  if (keyPattern.test(text)) return { ...derivedKeys(text), isOneKey: true }
  const parts = text.split(':')
  if (parts.length !== 3 || parts.every((part) => part === '')) return null
  if (!parts.every((part) => part === '' || keyPattern.test(part))) return null
  const [uploadKey, idempotencyKey, logKey] = parts.map((part) => (part === '' ? null : part))
  return {
    uploadKey: uploadKey ?? null,
    idempotencyKey: idempotencyKey ?? null,
    logKey: logKey ?? null,
    isOneKey: false,
  }
}

function derivedKeys(key: string): Omit<VenueKeys, 'isOneKey'> {
  const derive = (purpose: string): string => deriveKey(Buffer.from(key, 'hex'), purpose).toString('hex')
  return {
    uploadKey: derive('upload key'),
    idempotencyKey: derive('idempotency key'),
    logKey: derive('log key'),
  }
}
