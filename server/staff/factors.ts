import { ApiError } from '../apiError.ts'
import type { Audit } from '../audit/audit.ts'
import { minuteMs } from '../../contract/time.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { staffFactors } from '../db/schema/staff.ts'
import type { StaffRow } from '../db/schema/staff.ts'
import type { Clock, Random } from '../ports.ts'
import { createFactorCore } from '../secondFactor/factorCore.ts'
import type { Secrets } from '../secrets.ts'

const setupTtlMs = 10 * minuteMs
const setupPurpose = 'staff totp setup'
type Setup = { staffId: string; secret: string }

/** The authenticator app of a member of staff, with recovery codes: the second factor of a log-in. */
export type StaffFactors = {
  /**
   * Opens the session, after the code if the person has an app. Throws `SECOND_FACTOR_REQUIRED` without one,
   * `SECOND_FACTOR_WRONG`, and `LOCKED` after too many wrong ones.
   */
  withCode<T>(staffId: string, code: string | undefined, open: (tx: DbTransaction) => Promise<T>): Promise<T>
  setUp(row: StaffRow): { setupId: string; secret: string; uri: string; expiresAt: number }
  /** Replaces an earlier app. Throws `CHALLENGE_EXPIRED`, `SECOND_FACTOR_WRONG`. */
  add(row: StaffRow, setupId: string, code: string): Promise<{ recoveryCodes: string[] }>
  forget(tx: DbTransaction, staffId: string): Promise<void>
}

export type StaffFactorsParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Random
  audit: Pick<Audit, 'write'>
  secrets: Pick<Secrets, 'idempotencyKey' | 'uploadKey'>
  /** The venue's name, which the app shows. */
  issuer: string
}

export function createStaffFactors(parts: StaffFactorsParts): StaffFactors {
  const { db, audit, issuer } = parts
  const { tickets, totp, recoveryCodes, codes } = createFactorCore({ ...parts, tables: staffFactors })
  return {
    withCode: async (staffId, code, open) => {
      if ((await totp.addedAt(db, staffId)) === null) return db.transaction(open)
      if (code === undefined) throw new ApiError('SECOND_FACTOR_REQUIRED')
      return codes.use(staffId, code, open)
    },
    setUp: ({ id, name }) => {
      const { secret, uri } = totp.newSetup(`${issuer} office`, name)
      const setup: Setup = { staffId: id, secret }
      const ticket = tickets.issue(setupPurpose, setup, setupTtlMs)
      return { setupId: ticket.id, secret, uri, expiresAt: ticket.expiresAt }
    },
    add: async ({ id, name }, setupId, code) => {
      const ticket = tickets.read(setupPurpose, setupId)
      const setup = ticket?.value as Setup | undefined
      if (!ticket || setup?.staffId !== id) throw new ApiError('CHALLENGE_EXPIRED')
      const step = totp.stepOf(setup.secret, code.replaceAll(/\s/g, ''))
      if (step === null) throw new ApiError('SECOND_FACTOR_WRONG')
      return db.transaction(async (tx) => {
        if (!(await ticket.use(tx))) throw new ApiError('CHALLENGE_EXPIRED')
        await totp.remove(tx, id)
        await totp.add(tx, id, setup.secret, step)
        await audit.write(tx, { actor: name, act: 'add-authenticator', subject: { kind: 'staff', id } })
        return { recoveryCodes: await recoveryCodes.replace(tx, id) }
      })
    },
    forget: async (tx, staffId) => {
      await totp.remove(tx, staffId)
      await recoveryCodes.remove(tx, staffId)
    },
  }
}
