import { and, eq } from 'drizzle-orm'
import { dayMs, hourMs } from '../../contract/time.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { member } from '../db/schema/member.ts'
import { passwordFailure } from '../db/schema/passwordRequest.ts'
import type { PasswordKind } from '../db/schema/passwordRequest.ts'
import { ApiError } from '../apiError.ts'
import type { Clock } from '../ports.ts'
import type { Passwords } from './passwords.ts'
import { createKeyedMutex } from './keyedMutex.ts'

/** After this many wrong tries in a row the password is locked for a while: six digits could soon be guessed otherwise. */
const maxFailures = 5
const lockDurationMs = hourMs
/** Older wrong tries no longer count. */
const forgetAfterMs = dayMs

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
  // One try at a time for each password: tries sent at once must not get past the limit.
  const runExclusive = createKeyedMutex()
  const ofPassword = (memberId: string, kind: PasswordKind) =>
    and(eq(passwordFailure.memberId, memberId), eq(passwordFailure.kind, kind))

  const resetFailures: PasswordGuard['resetFailures'] = async (tx, memberId, kind) => {
    await tx.delete(passwordFailure).where(ofPassword(memberId, kind))
  }
  const checkPassword = async (memberId: string, kind: PasswordKind, text: string): Promise<boolean> => {
    const [failure] = await db.select().from(passwordFailure).where(ofPassword(memberId, kind))
    const now = clock.now()
    const failures = failure && now - failure.at < forgetAfterMs ? failure.failures : 0
    const lockedForMs = failure && failures >= maxFailures ? failure.at + lockDurationMs - now : 0
    if (lockedForMs > 0) {
      const code = kind === 'transaction' ? 'TRANSACTION_PASSWORD_LOCKED' : 'LOCKED'
      throw new ApiError(code, { params: { retryAfterMs: lockedForMs } })
    }
    const [row] = await db.select().from(member).where(eq(member.id, memberId))
    const stored = kind === 'transaction' ? row?.transactionPasswordHash : row?.passwordHash
    if (await passwords.matches(stored ?? null, text, 'known')) {
      if (failure) await resetFailures(db, memberId, kind)
      return true
    }
    const set = { failures: failures >= maxFailures ? 1 : failures + 1, at: clock.now() }
    await db
      .insert(passwordFailure)
      .values({ memberId, kind, ...set })
      .onConflictDoUpdate({ target: [passwordFailure.memberId, passwordFailure.kind], set })
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
