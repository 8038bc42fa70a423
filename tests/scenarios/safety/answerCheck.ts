import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { errorBody, errorCodes, isFieldCode } from '../../../contract/errors.ts'
import type { Route } from '../../../contract/route.ts'

export type CheckedAnswer = { status: number; type: string; text: string }

const codes: ReadonlySet<string> = new Set(errorCodes)
const errorStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404, 409, 410, 413, 415, 422, 423, 429])

/** How a response differs from what the contract declares for the route; null if it does not. */
export function violationOf(route: Route | null, { status, type, text }: CheckedAnswer): string | null {
  if (status >= 500) return `${status}`
  if (status >= 400) return errorViolation(status, type, text)
  if (route === null) return `${status} for a route that does not exist`
  if (status !== route.status) return `status ${status} instead of ${route.status}`
  if (route.answer === null) return status === 204 && text !== '' ? 'a body with 204' : null
  const csv = type.startsWith('text/csv')
  const body: unknown = csv ? text : parseJson(text)
  return matchesExactly(route.answer, body) ? null : `a body outside its schema: ${text.slice(0, 200)}`
}

/** Whether a value matches a schema exactly: a field that the schema would strip is a mismatch. */
export function matchesExactly(schema: z.ZodMiniType, value: unknown): boolean {
  const parsed = z.safeParse(schema, value)
  return parsed.success && isDeepStrictEqual(parsed.data, value)
}

function errorViolation(status: number, type: string, text: string): string | null {
  const body = parseJson(text)
  if (!type.startsWith('application/json')) return `${status} as ${type}`
  if (!errorStatuses.has(status)) return `an unknown status ${status}`
  if (!matchesExactly(errorBody, body)) return `${status} without the error body: ${text.slice(0, 200)}`
  const { code, fields = {} } = errorBody.parse(body).error
  if (!codes.has(code)) return `an unknown code ${code}`
  const unknown = Object.values(fields).find((field) => !isFieldCode(field))
  return unknown === undefined ? null : `an unknown field code ${unknown}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
