import { and, eq, sql } from 'drizzle-orm'
import { dayMs, hourMs } from '../../contract/time.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import { idempotency } from '../db/schema/idempotency.ts'
import { TokenBucket } from '../http/tokenBucket.ts'
import { ApiError } from '../apiError.ts'
import type { Clock, Idempotency, Random, StoredAnswer } from '../ports.ts'
import { systemRandom } from '../random.ts'
import { createVault } from '../vault.ts'
import { computeFingerprint } from './fingerprint.ts'

/** What a key belongs to. */
export type KeyScope = { memberId: string; method: string; path: string; key: string }

export type IdempotencyKeys = Idempotency & {
  /** The fingerprint of the request body that has the key locked. Throws if the key is not locked. */
  lockedFingerprint(scope: KeyScope): string
  /**
   * Stores the first answer in the effect's transaction.
   * @throws a unique violation of `idempotency_pkey` if a concurrent duplicate in another process was first
   */
  save(tx: Db | DbTransaction, scope: KeyScope, answer: StoredAnswer): Promise<void>
  /** The stored answer for the same body, or null. Throws 422 if the stored body is another one. */
  find(scope: KeyScope, fingerprint: string): Promise<StoredAnswer | null>
  /** Waits while a request with this key is in flight; throws 409 after ten seconds. */
  waitUntilUnlocked(scope: KeyScope): Promise<void>
  /** Deletes answers past their retention; returns how many. */
  prune(fence: Fence): Promise<number>
}

/** A violation of this constraint means that a concurrent duplicate was first. */
export const keyConstraint = 'idempotency_pkey'

/** How long a concurrent duplicate waits for the first answer. */
const duplicateWaitMs = 10_000
/** The contract promises at least seven days; one more covers differences between clocks. */
const retentionMs = 8 * dayMs

/**
 * Marks an encrypted answer. An order's answer is plain JSON: it has no personal data and is written by the order's
 * statement.
 */
const encryptedPrefix = 'sealed:'

type Locked = { fingerprint: string; released: Promise<void> }

/** How many error answers one member may have stored. Beyond that a rejected request gets 429 and no row is stored. */
const storedErrorRate = { calls: 50, perMs: hourMs, burst: 500 }

type IdempotencyKeysParts = {
  db: Db
  clock: Clock
  secret: Uint8Array
  random?: Random
  limitStoredErrors?: boolean
}

export function createIdempotencyKeys({
  db,
  clock,
  secret,
  random = systemRandom,
  limitStoredErrors = false,
}: IdempotencyKeysParts): IdempotencyKeys {
  const locks = new Map<string, Locked>()
  const storedErrorBuckets = new Map<string, TokenBucket>()
  const takeStoredError = (memberId: string): void => {
    const bucket = storedErrorBuckets.get(memberId) ?? new TokenBucket(storedErrorRate, clock.now())
    storedErrorBuckets.set(memberId, bucket)
    const retryAfterMs = bucket.take(clock.now())
    if (retryAfterMs > 0) throw new ApiError(429, 'RATE_LIMITED', { params: { retryAfterMs } })
  }
  // Answers repeat what members entered, such as names, so the database alone must not reveal them.
  const vault = createVault(secret, 'stored answers', random)
  const decryptBody = (scope: KeyScope, body: string): string =>
    body.startsWith(encryptedPrefix)
      ? vault
          .decrypt(Buffer.from(body.slice(encryptedPrefix.length), 'base64url'), toScopeId(scope))
          .toString()
      : body

  const waitForRelease = async (duplicate: Locked, deadline: number): Promise<void> => {
    if (!(await resolvesBefore(clock, deadline, duplicate.released)))
      throw new ApiError(409, 'IDEMPOTENCY_IN_FLIGHT')
  }
  const waitUntilUnlocked = async (scope: KeyScope): Promise<void> => {
    const deadline = clock.now() + duplicateWaitMs
    for (let duplicate = locks.get(toScopeId(scope)); duplicate; duplicate = locks.get(toScopeId(scope)))
      await waitForRelease(duplicate, deadline)
  }
  /**
   * Waits until no request has the key locked, whatever its body, and locks it in the same turn of the event loop, so
   * that one of many waiting requests gets it. A request with another body is not a mismatch while it is in flight: it
   * may still lose against one in another process. Only the stored answer decides.
   */
  const acquire = async (scope: KeyScope, fingerprint: string): Promise<() => void> => {
    const deadline = clock.now() + duplicateWaitMs
    for (let duplicate = locks.get(toScopeId(scope)); duplicate; duplicate = locks.get(toScopeId(scope)))
      await waitForRelease(duplicate, deadline)
    return lock(scope, fingerprint)
  }
  const lock = (scope: KeyScope, fingerprint: string): (() => void) => {
    const { promise, resolve } = deferred()
    locks.set(toScopeId(scope), { fingerprint, released: promise })
    return () => {
      locks.delete(toScopeId(scope))
      resolve()
    }
  }
  const find = async (scope: KeyScope, fingerprint: string): Promise<StoredAnswer | null> => {
    const [row] = await db.select().from(idempotency).where(matches(scope))
    if (!row) return null
    if (row.fingerprint !== fingerprint) throw new ApiError(422, 'IDEMPOTENCY_MISMATCH')
    return { status: row.status, body: JSON.parse(decryptBody(scope, row.body)) }
  }

  return {
    begin: async (memberId, method, path, key, body) => {
      const scope = { memberId, method, path, key }
      const fingerprint = computeFingerprint(secret, body)
      const release = await acquire(scope, fingerprint)
      try {
        const stored = await find(scope, fingerprint)
        if (!stored) return { proceed: true, release }
        release()
        return { replay: stored }
      } catch (error) {
        release()
        throw error
      }
    },
    lockedFingerprint: (scope) => {
      const locked = locks.get(toScopeId(scope))
      if (!locked) throw new Error('The idempotency key is not locked.')
      return locked.fingerprint
    },
    save: async (tx, scope, answer) => {
      const fingerprint = locks.get(toScopeId(scope))?.fingerprint
      if (fingerprint === undefined) throw new Error('The idempotency key is not locked.')
      const { status, body } = answer
      if (limitStoredErrors && status >= 400) takeStoredError(scope.memberId)
      const encrypted = vault.encrypt(JSON.stringify(body), toScopeId(scope)).toString('base64url')
      const row = {
        ...scope,
        fingerprint,
        status,
        body: `${encryptedPrefix}${encrypted}`,
        createdAt: clock.now(),
      }
      await tx.insert(idempotency).values(row)
    },
    find,
    waitUntilUnlocked,
    prune: (fence) => {
      for (const [memberId, bucket] of storedErrorBuckets)
        if (bucket.isFull(clock.now())) storedErrorBuckets.delete(memberId)
      return fence.transaction(db, async (tx) => {
        await tx.execute(sql`SET LOCAL uptick.prune = 'on'`)
        const deleted = await tx.execute(
          sql`DELETE FROM idempotency WHERE created_at < ${clock.now() - retentionMs}::bigint`,
        )
        return deleted.rowCount ?? 0
      })
    },
  }
}

const toScopeId = (scope: KeyScope): string => `${scope.memberId} ${scope.method} ${scope.path} ${scope.key}`

function matches(scope: KeyScope) {
  return and(
    eq(idempotency.memberId, scope.memberId),
    eq(idempotency.method, scope.method),
    eq(idempotency.path, scope.path),
    eq(idempotency.key, scope.key),
  )
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** Whether a promise resolved before the deadline. */
async function resolvesBefore(clock: Clock, deadline: number, promise: Promise<void>): Promise<boolean> {
  let cancel = (): void => undefined
  const timeout = new Promise<false>((resolve) => {
    cancel = clock.at(deadline, () => resolve(false))
  })
  const isInTime = await Promise.race([promise.then(() => true as const), timeout])
  cancel()
  return isInTime
}
