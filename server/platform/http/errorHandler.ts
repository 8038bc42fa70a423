import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../../contract/errors.ts'
import { LogCorruptError } from '../logCorruptError.ts'
import { awaitsSecondPerson, isOfClosedAccount, isSerializationFailure } from '../db/errors.ts'
import { databaseTrouble, type DatabaseTrouble } from '../db/trouble.ts'
import { errorStatus } from '../../../contract/errorStatus.ts'
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
 * A serialisation failure changed nothing and may be retried. A member who has closed the account has no session any
 * more; for the office the account is not what it was.
 */
function databaseRefusal(error: unknown, { principal }: FastifyRequest): ApiError | null {
  if (isSerializationFailure(error)) return new ApiError('UNAVAILABLE')
  if (isOfClosedAccount(error)) return new ApiError(principal ? 'UNAUTHENTICATED' : 'CONFLICT')
  if (awaitsSecondPerson(error)) return new ApiError('AWAITS_SECOND_PERSON')
  return null
}

/** A service that does not answer now may answer in a second. */
const unavailableS = 1

/** Sends an error as the contract's error body. */
export function sendApiError(apiError: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const wait = apiError.params?.['retryAfterMs']
  const status = errorStatus[apiError.code]
  if (status === 429 && typeof wait === 'number') reply.header('Retry-After', Math.ceil(wait / 1000))
  if (apiError.code === 'UNAVAILABLE') reply.header('Retry-After', unavailableS)
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBodyOf(apiError, request.id)))
}

export type ErrorListeners = {
  /** A request has met a damaged place of the tick log. */
  onLogDamaged: (error: LogCorruptError) => void
  /** A request failed because of what is wrong with the database. */
  onDatabaseTrouble: (trouble: DatabaseTrouble, request: FastifyRequest) => void
}

/**
 * Answers everything that was thrown: an `ApiError` as it is, what the database refused by
 * {@link databaseRefusal}, 503 `UNAVAILABLE` while the database is in trouble, any other error as 500 `INTERNAL` without details.
 */
export function installErrorHandler(
  app: FastifyInstance,
  { onLogDamaged, onDatabaseTrouble }: ErrorListeners,
): void {
  app.setErrorHandler<FastifyError | LogCorruptError>((error, request, reply) => {
    if (error instanceof LogCorruptError) onLogDamaged(error)
    const trouble = databaseTrouble(error)
    if (trouble !== null) {
      onDatabaseTrouble(trouble, request)
      return sendApiError(new ApiError('UNAVAILABLE'), request, reply)
    }
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
