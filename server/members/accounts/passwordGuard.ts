import { and, eq, lt, sql } from 'drizzle-orm'
import { retention } from '../../../contract/retention.ts'
import { hourMs, minuteMs } from '../../../contract/time.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { member } from '../../platform/db/schema.ts'
import { passwordFailure, type PasswordKind } from '../schema.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Job } from '../../platform/jobs.ts'
import type { Clock } from '../../platform/ports.ts'
import type { Passwords } from './passwords.ts'
import { createKeyedMutex } from '../../platform/keyedMutex.ts'

/** After this many wrong tries in a row the password is locked for a while: six digits could soon be guessed otherwise. */
const maxFailures = 5
const lockDurationMs = hourMs
/** Older wrong tries no longer count. */
const forgetAfterMs = retention.wrongCodes.ms

/**
 * Verifies passwords that a logged-in member enters: the transaction password, and the old password of a password
 * request. Wrong tries are counted in the database at once, even if the request then fails, so `verify` and
 * `requireTransactionPassword` must be called outside any transaction.
 */
export type PasswordGuard = {
  /** Whether the password is right. Throws `TRANSACTION_PASSWORD_LOCKED` or `LOCKED` (`retryAfterMs`). */
  verify(memberId: string, kind: PasswordKind, text: string): Promise<boolean>
  /** For withdrawals. Throws `TRANSACTION_PASSWORD_WRONG`, or `TRANSACTION_PASSWORD_LOCKED`. */
  requireTransactionPassword(memberId: string, transactionPassword: string): Promise<void>
  /** A new password starts without wrong tries. */
  resetFailures(tx: Db | DbTransaction, memberId: string, kind: PasswordKind): Promise<void>
}

type Parts = { db: Db; clock: Pick<Clock, 'now'>; passwords: Passwords }

export function createPasswordGuard({ db, clock, passwords }: Parts): PasswordGuard {
  // One try at a time for each password: of many sent at once, most then end at the first check.
  const runExclusive = createKeyedMutex()
  const ofPassword = (memberId: string, kind: PasswordKind) =>
    and(eq(passwordFailure.memberId, memberId), eq(passwordFailure.kind, kind))

  /** Returns whether wrong tries are counted. */
  const assertUnlocked = async (memberId: string, kind: PasswordKind): Promise<boolean> => {
    const [failure] = await db.select().from(passwordFailure).where(ofPassword(memberId, kind))
    const lockedForMs =
      failure && failure.failures >= maxFailures ? failure.at + lockDurationMs - clock.now() : 0
    if (lockedForMs > 0) {
      const code = kind === 'transaction' ? 'TRANSACTION_PASSWORD_LOCKED' : 'LOCKED'
      throw new ApiError(code, { params: { retryAfterMs: lockedForMs } })
    }
    return failure !== undefined
  }
  /** The condition that a password is not locked, for a statement that changes its count. */
  const isUnlocked = () =>
    sql`(${passwordFailure.failures} < ${maxFailures} OR ${passwordFailure.at} <= ${clock.now() - lockDurationMs}::bigint)`

  const resetFailures: PasswordGuard['resetFailures'] = async (tx, memberId, kind) => {
    await tx.delete(passwordFailure).where(ofPassword(memberId, kind))
  }
  /** Returns false if the password is locked by now. */
  const countFailure = async (memberId: string, kind: PasswordKind): Promise<boolean> => {
    const now = clock.now()
    // When a lock ends, counting starts again.
    const counts = sql`${passwordFailure.failures} < ${maxFailures} AND ${passwordFailure.at} > ${now - forgetAfterMs}::bigint`
    const counted = await db
      .insert(passwordFailure)
      .values({ memberId, kind, failures: 1, at: now })
      .onConflictDoUpdate({
        target: [passwordFailure.memberId, passwordFailure.kind],
        set: { failures: sql`CASE WHEN ${counts} THEN ${passwordFailure.failures} + 1 ELSE 1 END`, at: now },
        setWhere: isUnlocked(),
      })
      .returning({ failures: passwordFailure.failures })
    return counted.length > 0
  }
  /**
   * A wrong try is counted before it is answered, and no result is returned if the password is locked by then: however
   * many tries are in flight at other nodes, no more than {@link maxFailures} wrong ones are answered in a row.
   */
  const checkPassword = async (memberId: string, kind: PasswordKind, text: string): Promise<boolean> => {
    await assertUnlocked(memberId, kind)
    const [row] = await db.select().from(member).where(eq(member.id, memberId))
    const stored = kind === 'transaction' ? row?.transactionPasswordHash : row?.passwordHash
    if (await passwords.matches(stored ?? null, text, 'known')) {
      const hasFailures = await assertUnlocked(memberId, kind)
      if (hasFailures) await db.delete(passwordFailure).where(and(ofPassword(memberId, kind), isUnlocked()))
      return true
    }
    while (!(await countFailure(memberId, kind))) await assertUnlocked(memberId, kind)
    return false
  }
  const verify: PasswordGuard['verify'] = (memberId, kind, text) =>
    runExclusive(`${memberId} ${kind}`, () => checkPassword(memberId, kind, text))

  return {
    verify,
    requireTransactionPassword: async (memberId, transactionPassword) => {
      if (!(await verify(memberId, 'transaction', transactionPassword))) {
        throw new ApiError('TRANSACTION_PASSWORD_WRONG')
      }
    },
    resetFailures,
  }
}

type JobParts = Pick<Parts, 'db' | 'clock'> & { fence: Fence }

/** Deletes wrong tries that no longer count. */
export const wrongPasswordsJob = ({ db, clock, fence }: JobParts): Job => ({
  name: 'prune wrong passwords',
  everyMs: 10 * minuteMs,
  run: () => {
    const old = lt(passwordFailure.at, clock.now() - forgetAfterMs)
    return fence.transaction(db, (tx) => tx.delete(passwordFailure).where(old))
  },
})
