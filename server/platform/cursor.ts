import type { BusinessDay } from '../../contract/time.ts'
import { ApiError } from './apiError.ts'

/** An opaque position in a list: the sort key of the last row returned. */
export function writeCursor(...key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

const idPattern = /^[\w.-]{0,64}$/

/** Reads a cursor of `[number, string]`; throws `VALIDATION` if it is not valid. */
export function readCursor(text: string | undefined): [number, string] | null {
  if (text === undefined) return null
  try {
    const key: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (Array.isArray(key) && key.length === 2) {
      const [at, id] = key as [unknown, unknown]
      if (Number.isSafeInteger(at) && typeof id === 'string' && idPattern.test(id)) return [Number(at), id]
    }
  } catch {
    // Falls through to the error: a cursor that does not parse is an invalid field like any other.
  }
  throw invalidCursor()
}

/** Reads the cursor of a list of business days: the last day returned. */
export function readDayCursor(text: string | undefined): BusinessDay | null {
  const day = readCursor(text)?.[1] ?? null
  if (day !== null && !(/^\d{4}-\d\d-\d\d$/.test(day) && Date.parse(day) > 0)) throw invalidCursor()
  return day
}

const invalidCursor = (): ApiError => new ApiError('VALIDATION', { fields: { cursor: 'INVALID' } })
