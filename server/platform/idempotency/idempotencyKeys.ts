import { createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { canonicalJson } from '../../../contract/canonicalJson.ts'
import { retention } from '../../../contract/retention.ts'
import { hourMs } from '../../../contract/time.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import { idempotency } from '../db/schema.ts'
import { TokenBucket } from '../tokenBucket.ts'
import { ApiError } from '../apiError.ts'
import type { Module } from '../module.ts'
import type { Clock, Idempotency, LockedKey, Random, StoredAnswer } from '../ports.ts'
import type { Secrets } from '../secrets.ts'
import { createVault } from '../vault.ts'
import { createKeyLocks } from './keyLocks.ts'
import { createStoredAnswers, toScopeId, type KeyScope } from './storedAnswers.ts'
import type { PlatformSettings } from '../settings.ts'

export type IdempotencyKeys = Idempotency & {
  /** Waits until no request has the key locked, and locks it. @returns releases it */
  lock(scope: KeyScope, fingerprint: string): Promise<() => void>
  /** The fingerprint of the request body that has the key locked. Throws if the key is not locked. */
  lockedFingerprint(scope: KeyScope): string
  /**
   * Stores the first answer in the effect's transaction.
   * @throws AnswerStoredError if a concurrent duplicate in another process was first
   */
  save(tx: Db | DbTransaction, scope: KeyScope, answer: StoredAnswer): Promise<void>
  /** The stored answer for the same body, or null. Throws `IDEMPOTENCY_MISMATCH` if the stored body is another one. */
  find(scope: KeyScope, fingerprint: string): Promise<StoredAnswer | null>
  /** Waits while a request with this key is in flight; throws `IDEMPOTENCY_IN_FLIGHT` after ten seconds. */
  waitUntilUnlocked(scope: KeyScope): Promise<void>
  /** Deletes answers past their retention; returns how many. */
  prune(fence: Fence): Promise<number>
}

/** A concurrent duplicate was first: the transaction must end without an effect. */
export class AnswerStoredError extends Error {
  override readonly name = 'AnswerStoredError'
}

/**
 * Marks an encrypted answer. An order's answer is plain JSON: it has no personal data and is written by the order's
 * statement.
 */
const encryptedPrefix = 'sealed:'

/** How many error answers one member may have stored. Beyond that a rejected request gets `RATE_LIMITED` and no row is stored. */
const storedErrorRate = { calls: 50, perMs: hourMs, burst: 500 }

export type IdempotencyKeysParts = {
  db: Db
  /** Used by the job. */
  fence: Fence
  clock: Clock
  random: Random
  secrets: Pick<Secrets, 'idempotencyKey'>
  settings: Pick<PlatformSettings, 'rateLimits'>
}

export function createIdempotencyKeys(parts: IdempotencyKeysParts): IdempotencyKeys & Module {
  const { db, fence, clock, random, settings } = parts
  const { idempotencyKey: secret } = parts.secrets
  const locks = createKeyLocks(clock)
  const readStored = createStoredAnswers(db)
  const storedErrors = createStoredErrorLimit(clock)
  // Answers repeat what members entered, such as names, so the database alone must not reveal them.
  const vault = createVault(secret, 'stored answers', random)
  const decryptBody = (scope: KeyScope, body: string): string =>
    body.startsWith(encryptedPrefix)
      ? vault
          .decrypt(Buffer.from(body.slice(encryptedPrefix.length), 'base64url'), toScopeId(scope))
          .toString()
      : body
  const find: IdempotencyKeys['find'] = async (scope, fingerprint) => {
    const row = await readStored(scope)
    if (!row) return null
    if (row.fingerprint !== fingerprint) throw new ApiError('IDEMPOTENCY_MISMATCH')
    return { status: row.status, body: JSON.parse(decryptBody(scope, row.body)) }
  }
  const lock: IdempotencyKeys['lock'] = (scope, fingerprint) => locks.acquire(toScopeId(scope), fingerprint)
  const lockUnseen = async (scope: KeyScope, fingerprint: string): Promise<LockedKey> => {
    const release = await lock(scope, fingerprint)
    return { proceed: true, release, find: () => find(scope, fingerprint) }
  }
  const lockNew = async (scope: KeyScope, fingerprint: string): ReturnType<Idempotency['begin']> => {
    const locked = await lockUnseen(scope, fingerprint)
    const { release } = locked
    try {
      const stored = await locked.find()
      if (!stored) return locked
      release()
      return { replay: stored }
    } catch (error) {
      release()
      throw error
    }
  }
  const prune: IdempotencyKeys['prune'] = (fence) => {
    storedErrors.evictFull()
    return fence.transaction(db, async (tx) => {
      await tx.execute(sql`SET LOCAL uptick.prune = 'on'`)
      const deleted = await tx.execute(
        sql`DELETE FROM idempotency WHERE created_at < ${clock.now() - retention.answers.ms}::bigint`,
      )
      return deleted.rowCount ?? 0
    })
  }
  return {
    begin: (memberId, method, path, key, body, deferLookup = false) =>
      (deferLookup ? lockUnseen : lockNew)({ memberId, method, path, key }, computeFingerprint(secret, body)),
    lock,
    lockedFingerprint: (scope) => locks.fingerprint(toScopeId(scope)),
    save: async (tx, scope, { status, body }) => {
      const fingerprint = locks.fingerprint(toScopeId(scope))
      if (settings.rateLimits && status >= 400) storedErrors.take(scope.memberId)
      const encrypted = vault.encrypt(JSON.stringify(body), toScopeId(scope)).toString('base64url')
      const createdAt = clock.now()
      const { rowCount } = await tx
        .insert(idempotency)
        .values({ ...scope, fingerprint, status, body: `${encryptedPrefix}${encrypted}`, createdAt })
        .onConflictDoNothing()
      if (rowCount === 0) throw new AnswerStoredError()
    },
    find,
    waitUntilUnlocked: (scope) => locks.waitUntilUnlocked(toScopeId(scope)),
    prune,
    jobs: [{ name: 'prune idempotency keys', everyMs: hourMs, run: () => prune(fence) }],
  }
}

/** Limits how many error answers one member may have stored. */
function createStoredErrorLimit(clock: Pick<Clock, 'now'>) {
  const buckets = new Map<string, TokenBucket>()
  return {
    take: (memberId: string): void => {
      const bucket = buckets.get(memberId) ?? new TokenBucket(storedErrorRate, clock.now())
      buckets.set(memberId, bucket)
      const retryAfterMs = bucket.take(clock.now())
      if (retryAfterMs > 0) throw new ApiError('RATE_LIMITED', { params: { retryAfterMs } })
    },
    evictFull: (): void => {
      for (const [memberId, bucket] of buckets) if (bucket.isFull(clock.now())) buckets.delete(memberId)
    },
  }
}

/** An HMAC of a request body, so that bodies can be compared without storing them. */
function computeFingerprint(secret: Uint8Array, body: unknown): string {
  return createHmac('sha256', secret).update(canonicalJson(body)).digest('base64url')
}
