import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'drizzle-orm'
import type { Route, RouteReply } from '../../../contract/route.ts'
import type { Committed } from '../committed.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { pgCode } from '../db/errors.ts'
import { errorStatus, isStoredAnswer } from '../../../contract/errorStatus.ts'
import { canonicalPath, mount, replayStored, type HandlerContext } from '../http/mount.ts'
import { ApiError, errorBodyOf } from '../apiError.ts'
import type { StoredAnswer } from '../ports.ts'
import { AnswerStoredError, type IdempotencyKeys } from './idempotencyKeys.ts'
import type { KeyScope } from './storedAnswers.ts'

type IdempotentRoute = Route & { member: true; keyed: true }

/** A rejection by a business rule: it is stored as the first answer. */
export const isStorableError = (error: unknown): error is ApiError =>
  error instanceof ApiError && isStoredAnswer(errorStatus[error.code])

/** SQLSTATE of a lock timeout. */
const lockTimeoutCode = '55P03'

/**
 * Mounts a route that moves money. `run` does everything inside one transaction, which also stores its answer; a
 * rejection by a business rule is stored too. If a concurrent duplicate in another process was first, its answer is
 * returned instead. `before` runs before the transaction: for work that must not keep one open, and for changes that
 * stay even if the request is rejected.
 */
export function mountIdempotent<const R extends IdempotentRoute>(
  app: FastifyInstance,
  parts: { db: Db; idempotencyKeys: IdempotencyKeys },
  route: R,
  run: (tx: DbTransaction, context: HandlerContext<R>) => Promise<Committed<RouteReply<R>>>,
  before?: (context: HandlerContext<R>) => Promise<void>,
): void {
  const { db, idempotencyKeys } = parts
  mount(app, route, async (context) => {
    const scope = toKeyScope(context.request, context.member, context.key)
    try {
      await before?.(context)
      const result = await db.transaction(async (tx) => {
        await tx.execute(sql`SET LOCAL lock_timeout = '10s'`)
        const committed = await run(tx, context)
        await idempotencyKeys.save(tx, scope, { status: route.status, body: committed.answer })
        return committed
      })
      result.afterCommit?.()
      return result.answer
    } catch (error) {
      if (pgCode(error) === lockTimeoutCode) throw new ApiError('IDEMPOTENCY_IN_FLIGHT')
      const answer = await resolveFailedCall({ db, keys: idempotencyKeys }, scope, context.request, error)
      return replayStored(context.reply, answer)
    }
  })
}

/** The key of a request and what it belongs to. */
export function toKeyScope(request: FastifyRequest, member: { memberId: string }, key: string): KeyScope {
  return { memberId: member.memberId, method: request.method, path: canonicalPath(request), key }
}

/**
 * Handles a failed request with an idempotency key. A rejection by a business rule is stored and rethrown. If the key had
 * an answer whose lookup was deferred, or a concurrent duplicate was first, that answer is returned for a replay. Any
 * other error is rethrown, nothing is stored.
 */
export async function resolveFailedCall(
  { db, keys: idempotencyKeys }: { db: Db; keys: IdempotencyKeys },
  scope: KeyScope,
  request: FastifyRequest,
  error: unknown,
): Promise<StoredAnswer> {
  const first = await request.lockedKey?.find()
  if (first) return first
  if (isStorableError(error)) {
    try {
      await idempotencyKeys.save(db, scope, {
        status: errorStatus[error.code],
        body: errorBodyOf(error, request.id),
      })
    } catch (conflict) {
      if (!(conflict instanceof AnswerStoredError)) throw conflict
      return readDuplicateAnswer(idempotencyKeys, scope)
    }
    throw error
  }
  if (!(error instanceof AnswerStoredError)) throw error
  return readDuplicateAnswer(idempotencyKeys, scope)
}

async function readDuplicateAnswer(idempotencyKeys: IdempotencyKeys, scope: KeyScope): Promise<StoredAnswer> {
  const stored = await idempotencyKeys.find(scope, idempotencyKeys.lockedFingerprint(scope))
  if (!stored) throw new Error('A concurrent duplicate was first and stored no answer.')
  return stored
}
