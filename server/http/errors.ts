import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../contract/errors.ts'
import { isSerializationFailure } from '../db/errors.ts'
import { describeFault } from './faults.ts'
import { Refusal, refusalBody } from './refusal.ts'
import { hashAddress, wantsPage, wordsPage } from './wordsPage.ts'

const refusedByStatus: Record<number, [number, ErrorCode]> = {
  404: [404, 'NOT_FOUND'],
  413: [413, 'BODY_TOO_LARGE'],
  415: [415, 'MEDIA_TYPE'],
  503: [503, 'UNAVAILABLE'],
}

/** What Fastify itself refuses before a handler runs, as the contract names it. */
function refusalOf(error: FastifyError): Refusal | null {
  if (error instanceof Refusal) return error
  const named = refusedByStatus[error.statusCode ?? 500]
  if (named) return new Refusal(named[0], named[1])
  const clientFault = error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
  return clientFault ? new Refusal(400, 'VALIDATION') : null
}

/** Sends a refusal as the contract's error body. */
export function answerRefusal(refusal: Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const wait = refusal.params?.['retryAfterMs']
  if (refusal.status === 429 && typeof wait === 'number') reply.header('Retry-After', Math.ceil(wait / 1000))
  return reply
    .code(refusal.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(refusalBody(refusal, request.id)))
}

/**
 * Answers everything that was thrown: refusals as they are, a transaction that lost against another as 503, since it
 * changed nothing and may be asked again, faults as 500 `INTERNAL` without a word about their inside. */
export function installErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const refusal = isSerializationFailure(error) ? new Refusal(503, 'UNAVAILABLE') : refusalOf(error)
    if (refusal) return answerRefusal(refusal, request, reply)
    request.log.error({ fault: describeFault(error) }, 'request failed')
    return answerRefusal(new Refusal(500, 'INTERNAL'), request, reply)
  })
  app.setNotFoundHandler((request, reply) => {
    const { method, url, headers } = request
    if (!wantsPage(method, url, headers)) return answerRefusal(new Refusal(404, 'NOT_FOUND'), request, reply)
    const address = hashAddress(url)
    if (address !== undefined) return reply.redirect(address)
    const page = wordsPage('missing', headers)
    return reply.code(404).headers(page.headers).send(page.html)
  })
}
