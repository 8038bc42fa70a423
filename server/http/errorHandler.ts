import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../contract/errors.ts'
import { LogCorruptError } from '../market/log/logCorruptError.ts'
import { isOfClosedAccount, isSerializationFailure } from '../db/errors.ts'
import { errorStatus } from './errorStatus.ts'
import { summarizeError } from './errorSummary.ts'
import { ApiError, errorBodyOf } from '../apiError.ts'
import { hashRouteOf, wantsPage, renderStatusPage } from './statusPage.ts'

const codeByStatus: Record<number, ErrorCode> = {
  404: 'NOT_FOUND',
  413: 'BODY_TOO_LARGE',
  415: 'MEDIA_TYPE',
  503: 'UNAVAILABLE',
}

/** Maps an error that is no answer yet to the contract's codes; null for an internal error. */
function toApiError(error: FastifyError | LogCorruptError): ApiError | null {
  if (error instanceof ApiError) return error
  if (error instanceof LogCorruptError) return new ApiError('LOG_DAMAGED', { params: { place: error.place } })
  const code = codeByStatus[error.statusCode ?? 500]
  if (code) return new ApiError(code)
  const isClientError = error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
  return isClientError ? new ApiError('VALIDATION') : null
}

/**
 * A serialization failure changed nothing and may be retried. A member who has closed the account has no session any
 * more; for the back office the account is not what it was.
 */
function databaseRefusal(error: unknown, { principal }: FastifyRequest): ApiError | null {
  if (isSerializationFailure(error)) return new ApiError('UNAVAILABLE')
  if (isOfClosedAccount(error)) return new ApiError(principal ? 'UNAUTHENTICATED' : 'CONFLICT')
  return null
}

/** Sends an error as the contract's error body. */
export function sendApiError(apiError: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const wait = apiError.params?.['retryAfterMs']
  const status = errorStatus[apiError.code]
  if (status === 429 && typeof wait === 'number') reply.header('Retry-After', Math.ceil(wait / 1000))
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBodyOf(apiError, request.id)))
}

/**
 * Answers everything that was thrown: an `ApiError` as it is, what the database refused by
 * {@link databaseRefusal}, any other error as 500 `INTERNAL` without details.
 * @param onLogDamaged called when a request has met a damaged place of the tick log
 */
export function installErrorHandler(
  app: FastifyInstance,
  onLogDamaged: (error: LogCorruptError) => void,
): void {
  app.setErrorHandler<FastifyError | LogCorruptError>((error, request, reply) => {
    if (error instanceof LogCorruptError) onLogDamaged(error)
    const apiError = databaseRefusal(error, request) ?? toApiError(error)
    if (apiError) return sendApiError(apiError, request, reply)
    request.log.error({ fault: summarizeError(error) }, 'request failed')
    return sendApiError(new ApiError('INTERNAL'), request, reply)
  })
  app.setNotFoundHandler((request, reply) => {
    const { method, url, headers } = request
    if (!wantsPage(method, url, headers)) return sendApiError(new ApiError('NOT_FOUND'), request, reply)
    const address = hashRouteOf(url)
    if (address !== undefined) return reply.redirect(address)
    const page = renderStatusPage('missing', headers)
    return reply.code(404).headers(page.headers).send(page.html)
  })
}
