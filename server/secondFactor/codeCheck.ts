import { sql, eq } from 'drizzle-orm'
import { hourMs, dayMs } from '../../contract/time.ts'
import { ApiError } from '../apiError.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import type { FactorTables } from '../db/schema/secondFactor.ts'
import type { Clock } from '../ports.ts'
import type { RecoveryCodes } from './recoveryCodes.ts'
import type { Totp } from './totp.ts'

/** After this many wrong codes in a row none is checked for a while: six digits could soon be guessed otherwise. */
const maxFailures = 5
const lockDurationMs = hourMs
/** Older wrong codes no longer count. */
const forgetAfterMs = dayMs

export type CodeKind = 'totp' | 'recovery'

/**
 * Checks the code of an authenticator app, or a recovery code. A try counts as wrong before it is checked, at every node:
 * of many sent at once, no more than {@link maxFailures} are checked.
 */
export type CodeCheck = {
  /**
   * Uses a code and runs the work that it permits in one transaction. Throws `SECOND_FACTOR_WRONG`, or `LOCKED`
   * (`retryAfterMs`). Call it outside any transaction: a wrong code stays counted.
   */
  use<T>(ownerId: string, code: string, work: (tx: DbTransaction, kind: CodeKind) => Promise<T>): Promise<T>
}

export type CodeCheckParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  tables: Pick<FactorTables, 'codeFailure'>
  totp: Totp
  recoveryCodes: RecoveryCodes
}

export function createCodeCheck(parts: CodeCheckParts): CodeCheck {
  const { db, totp, recoveryCodes } = parts
  const { codeFailure } = parts.tables
  return {
    use: async (ownerId, code, work) => {
      await countTry(parts, ownerId)
      try {
        return await db.transaction(async (tx) => {
          const kind: CodeKind = /^\s*\d{3}\s?\d{3}\s*$/.test(code) ? 'totp' : 'recovery'
          const isRight =
            kind === 'totp'
              ? await totp.use(tx, ownerId, code.replaceAll(/\s/g, ''))
              : await recoveryCodes.use(tx, ownerId, code)
          if (!isRight) throw new ApiError('SECOND_FACTOR_WRONG')
          const result = await work(tx, kind)
          await tx.delete(codeFailure).where(eq(codeFailure.ownerId, ownerId))
          return result
        })
      } catch (error) {
        // Anything else says nothing about the code, which was not used either.
        const isWrong = error instanceof ApiError && error.code === 'SECOND_FACTOR_WRONG'
        if (!isWrong) await takeBack(parts, ownerId)
        throw error
      }
    },
  }
}

/** @throws ApiError `LOCKED` */
async function countTry(
  { db, clock, tables: { codeFailure } }: CodeCheckParts,
  ownerId: string,
): Promise<void> {
  const now = clock.now()
  const isLocked = sql`${codeFailure.failures} >= ${maxFailures} AND ${codeFailure.at} > ${now - lockDurationMs}::bigint`
  // Once a lock is over, counting starts again.
  const counts = sql`${codeFailure.failures} < ${maxFailures} AND ${codeFailure.at} > ${now - forgetAfterMs}::bigint`
  const counted = await db
    .insert(codeFailure)
    .values({ ownerId, failures: 1, at: now })
    .onConflictDoUpdate({
      target: codeFailure.ownerId,
      set: { failures: sql`CASE WHEN ${counts} THEN ${codeFailure.failures} + 1 ELSE 1 END`, at: now },
      setWhere: sql`NOT (${isLocked})`,
    })
    .returning({ failures: codeFailure.failures })
  if (counted.length > 0) return
  const [row] = await db.select().from(codeFailure).where(eq(codeFailure.ownerId, ownerId))
  const retryAfterMs = Math.max(1000, (row?.at ?? now) + lockDurationMs - now)
  throw new ApiError('LOCKED', { params: { retryAfterMs } })
}

async function takeBack({ db, tables: { codeFailure } }: CodeCheckParts, ownerId: string): Promise<void> {
  const failures = sql`greatest(0, ${codeFailure.failures} - 1)`
  await db.update(codeFailure).set({ failures }).where(eq(codeFailure.ownerId, ownerId))
}
