import { SettingsError } from '../config.ts'
import { LeaseLostError } from '../db/fence.ts'
import { ProductsError } from '../feed/products.ts'
import { LogCorruptError } from '../market/corrupt.ts'

/** An error on its way between two threads: the structured clone keeps neither its class nor its fields. */
export type PackedError = {
  name: string
  message: string
  stack: string
  fields: Record<string, string | number | string[]>
  cause: PackedError | null
}

/** Errors that the receiver tells apart by their class. */
const classes = [SettingsError, ProductsError, LogCorruptError, LeaseLostError]
const causesMax = 4

export function packError(error: unknown, depth = 0): PackedError {
  if (!(error instanceof Error)) {
    return { name: 'Error', message: String(error), stack: '', fields: {}, cause: null }
  }
  const { name, message, stack = '', cause } = error
  const fields: PackedError['fields'] = {}
  for (const [key, value] of Object.entries(error)) {
    if (key !== 'cause' && isField(value)) fields[key] = value
  }
  const packedCause = cause === undefined || depth >= causesMax ? null : packError(cause, depth + 1)
  return { name, message, stack, fields, cause: packedCause }
}

/** The error again, of its own class if that is one of those that callers ask for. */
export function unpackError({ name, message, stack, fields, cause }: PackedError): Error {
  const known = classes.find((each) => each.name === name)
  const error: Error = known ? Object.create(known.prototype) : new Error(message)
  for (const [key, value] of Object.entries({ name, message, stack })) {
    Object.defineProperty(error, key, { value, configurable: true, writable: true })
  }
  if (cause) error.cause = unpackError(cause)
  return Object.assign(error, fields)
}

function isField(value: unknown): value is string | number | string[] {
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string')
  return typeof value === 'string' || typeof value === 'number' || isList
}
