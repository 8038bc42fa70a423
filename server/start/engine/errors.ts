import { SettingsError } from '../../platform/settingsError.ts'
import { LeaseLostError } from '../../platform/db/fence.ts'
import { ProductsError } from '../../market/index.ts'
import { LogCorruptError } from '../../platform/logCorruptError.ts'

/** An error sent between two threads: a structured clone keeps neither its class nor its fields. */
export type SerializedError = {
  name: string
  message: string
  stack: string
  fields: Record<string, string | number | string[]>
  cause: SerializedError | null
}

/** Errors that the receiver distinguishes by class. */
const errorClasses = [SettingsError, ProductsError, LogCorruptError, LeaseLostError]
const causesMax = 4

export function serializeError(error: unknown, depth = 0): SerializedError {
  if (!(error instanceof Error)) {
    return { name: 'Error', message: String(error), stack: '', fields: {}, cause: null }
  }
  const { name, message, stack = '', cause } = error
  const fields: SerializedError['fields'] = {}
  for (const [key, value] of Object.entries(error)) {
    if (key !== 'cause' && isField(value)) fields[key] = value
  }
  const serializedCause = cause === undefined || depth >= causesMax ? null : serializeError(cause, depth + 1)
  return { name, message, stack, fields, cause: serializedCause }
}

/** Rebuilds the error, with its own class if that is one of {@link errorClasses}. */
export function deserializeError({ name, message, stack, fields, cause }: SerializedError): Error {
  const errorClass = errorClasses.find((each) => each.name === name)
  const error: Error = errorClass ? Object.create(errorClass.prototype) : new Error(message)
  for (const [key, value] of Object.entries({ name, message, stack })) {
    Object.defineProperty(error, key, { value, configurable: true, writable: true })
  }
  if (cause) error.cause = deserializeError(cause)
  return Object.assign(error, fields)
}

function isField(value: unknown): value is string | number | string[] {
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string')
  return typeof value === 'string' || typeof value === 'number' || isList
}
