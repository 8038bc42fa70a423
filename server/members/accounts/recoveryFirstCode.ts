import { createHmac } from 'node:crypto'
import { and, eq, lt, sql } from 'drizzle-orm'
import { ApiError } from '../../platform/apiError.ts'
import type { Db } from '../../platform/db/database.ts'
import { deriveKey } from '../../platform/keyDerivation.ts'
import type { Random } from '../../platform/ports.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { passwordRecoveryCode } from '../schema.ts'

/** Digits, which a person reads out in every language. */
const codeDigits = 8
/** So few that nobody who has the link guesses the code. */
const failuresMax = 5

/**
 * Of two persons who approve a forgotten password, the first one gets this code and the second one the link. Each of them
 * reaches the member, so that neither has all that sets the password.
 */
export type RecoveryFirstCodes = {
  /** A new code for a request. The hash is kept with the proposal that the code comes with, and ends with it. */
  make(requestId: string): FirstCode
  /** Throws `VALIDATION` if the code is missing or wrong, and `RECOVERY_CODE_INVALID` after five wrong ones. */
  assertRight(issued: Issued, code: string | undefined): Promise<void>
}
/** `hash` is keyed: without the key nobody finds the code. */
export type FirstCode = { code: string; hash: string }
type Issued = { requestId: string; firstCodeHash: string | null }

export type RecoveryFirstCodesParts = {
  db: Db
  random: Pick<Random, 'bytes'>
  secrets: Pick<Secrets, 'idempotencyKey'>
}

export function createRecoveryFirstCodes({
  db,
  random,
  secrets,
}: RecoveryFirstCodesParts): RecoveryFirstCodes {
  const key = deriveKey(secrets.idempotencyKey, 'first codes of recoveries')
  const hashOf = (requestId: string, code: string): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([requestId, code.replaceAll(/\D/g, '')]))
      .digest('base64url')
  return {
    make: (requestId) => {
      const code = newCode(random)
      return { code, hash: hashOf(requestId, code) }
    },
    assertRight: async ({ requestId, firstCodeHash }, code) => {
      if (firstCodeHash === null) return
      if (code === undefined) throw wrong('REQUIRED')
      const isRight = hashOf(requestId, code) === firstCodeHash
      // Counted before the answer, so that tries at the same time are not more.
      const failures = sql`${passwordRecoveryCode.firstCodeFailures} + ${isRight ? 0 : 1}`
      const ofRequest = eq(passwordRecoveryCode.requestId, requestId)
      const tried = await db
        .update(passwordRecoveryCode)
        .set({ firstCodeFailures: failures })
        .where(and(ofRequest, lt(passwordRecoveryCode.firstCodeFailures, failuresMax)))
      if (tried.rowCount === 0) throw new ApiError('RECOVERY_CODE_INVALID')
      if (!isRight) throw wrong('INVALID')
    },
  }
}

const wrong = (code: 'REQUIRED' | 'INVALID'): ApiError =>
  new ApiError('VALIDATION', { fields: { firstCode: code } })

function newCode(random: Pick<Random, 'bytes'>): string {
  const number = Buffer.from(random.bytes(6)).readUIntBE(0, 6) % 10 ** codeDigits
  return String(number).padStart(codeDigits, '0')
}
