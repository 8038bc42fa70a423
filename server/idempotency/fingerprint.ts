import { createHmac } from 'node:crypto'

/** JSON text that does not depend on the order of an object's keys. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`)
  return `{${fields.join(',')}}`
}

/** An HMAC of a request body, so that bodies can be compared without storing them. */
export function computeFingerprint(secret: Uint8Array, body: unknown): string {
  return createHmac('sha256', secret).update(canonicalJson(body)).digest('base64url')
}
