import type { ErrorBody, ErrorCode } from '../../contract/errors.ts'

export type ApiErrorDetails = {
  /** Values that the text of the code needs, such as `max` or `retryAfterMs`. */
  params?: Record<string, unknown>
  /** One code per field that failed. */
  fields?: Record<string, string>
  /** Why, for the log alone: the answer does not say it. */
  cause?: unknown
}

/**
 * An expected error: a code of the contract, no prose. Its HTTP status is in `contract/errorStatus.ts`. Anything else thrown
 * is a bug.
 */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly params: Record<string, unknown> | undefined
  readonly fields: Record<string, string> | undefined

  constructor(code: ErrorCode, details: ApiErrorDetails = {}) {
    super(code, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'ApiError'
    this.code = code
    this.params = details.params
    this.fields = details.fields
  }
}

/** The response body of an API error. */
export function errorBodyOf(apiError: ApiError, requestId: string): ErrorBody {
  const { code, params, fields } = apiError
  return { error: { code, ...(params && { params }), ...(fields && { fields }), requestId } }
}
