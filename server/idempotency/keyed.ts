import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'drizzle-orm'
import type { Route, RouteAnswer } from '../../contract/route.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { isUniqueViolation, pgCode } from '../db/errors.ts'
import { withRetry } from '../db/retry.ts'
import { callPath, mount } from '../http/mount.ts'
import type { Context } from '../http/mount.ts'
import { Refusal, refusalBody } from '../http/refusal.ts'
import type { RefusalDetails } from '../http/refusal.ts'
import type { ErrorBody, ErrorCode } from '../../contract/errors.ts'
import type { StoredAnswer } from '../ports.ts'
import { keyConstraint } from './keys.ts'
import type { Keys, KeyScope } from './keys.ts'

type KeyedRoute = Route & { member: true; keyed: true }
/** What a keyed call came to, and what is told once it is committed. */
export type Outcome<R extends Route> = { answer: RouteAnswer<R>; committed?: () => void }

/** Refusals that a rule gave: they are the call's first answer for good. */
const storedStatuses: ReadonlySet<number> = new Set([409, 410, 422, 423])
export const isStored = (error: unknown): error is Refusal =>
  error instanceof Refusal && storedStatuses.has(error.status)

/** SQLSTATE of a wait for a lock that took too long. */
const lockTimeout = '55P03'

/**
 * Mounts a money-moving call. `run` does everything inside one transaction; its answer is stored there too, and so is
 * a refusal that a rule gave. Where a twin in another process was first, its answer is given instead.
 * `before` runs ahead of the transaction: for what must not hold one open, and for what stays although it is refused.
 */
export function mountKeyed<const R extends KeyedRoute>(
  app: FastifyInstance,
  parts: { db: Db; keys: Keys },
  route: R,
  run: (tx: DbTransaction, context: Context<R>) => Promise<Outcome<R>>,
  before?: (context: Context<R>) => Promise<void>,
): void {
  const { db, keys } = parts
  mount(app, route, async (context) => {
    const scope = scopeOf(context.request, context.member, context.key)
    try {
      await before?.(context)
      const outcome = await withRetry(() =>
        db.transaction(async (tx) => {
          await tx.execute(sql`SET LOCAL lock_timeout = '10s'`)
          const done = await run(tx, context)
          await keys.save(tx, scope, { status: route.status, body: done.answer })
          return done
        }),
      )
      outcome.committed?.()
      return outcome.answer
    } catch (error) {
      if (pgCode(error) === lockTimeout) throw new Refusal(409, 'IDEMPOTENCY_IN_FLIGHT')
      const first = await firstAnswer({ db, keys }, scope, context.request, error)
      return replayed(context.reply, first) as RouteAnswer<R>
    }
  })
}

/** The key of a request and what it belongs to. */
export function scopeOf(request: FastifyRequest, member: { memberId: string }, key: string): KeyScope {
  return { memberId: member.memberId, method: request.method, path: callPath(request), key }
}

/**
 * What becomes of a failed keyed call: a rule's refusal is stored and thrown on; where a twin was first, its answer is
 * returned to be given again; any other failure is thrown on and nothing is stored.
 */
export async function firstAnswer(
  { db, keys }: { db: Db; keys: Keys },
  scope: KeyScope,
  request: FastifyRequest,
  error: unknown,
): Promise<StoredAnswer> {
  if (isStored(error)) {
    try {
      await keys.save(db, scope, { status: error.status, body: refusalBody(error, request.id) })
    } catch (conflict) {
      if (!isUniqueViolation(conflict, keyConstraint)) throw conflict
      return twinsAnswer(keys, scope)
    }
    throw error
  }
  if (!isUniqueViolation(error, keyConstraint)) throw error
  return twinsAnswer(keys, scope)
}

/** Gives a stored answer from inside a handler: a success is returned, a refusal thrown. */
export function replayed(reply: FastifyReply, stored: StoredAnswer): unknown {
  reply.header('Idempotent-Replayed', 'true')
  if (stored.status < 300) return stored.body
  const { code, params, fields } = (stored.body as ErrorBody).error
  const details: RefusalDetails = { ...(params && { params }), ...(fields && { fields }) }
  throw new Refusal(stored.status, code as ErrorCode, details)
}

async function twinsAnswer(keys: Keys, scope: KeyScope): Promise<StoredAnswer> {
  const stored = await keys.find(scope, keys.fingerprintOf(scope))
  if (!stored) throw new Error('A twin was first and left no answer.')
  return stored
}
