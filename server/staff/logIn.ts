import { and, eq } from 'drizzle-orm'
import type { PasskeyAnswer } from '../../contract/passkeys.ts'
import { ApiError } from '../apiError.ts'
import type { Audit } from '../audit/audit.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { staff } from '../db/schema/staff.ts'
import type { StaffRow } from '../db/schema/staff.ts'
import type { Passwords } from '../members/passwords.ts'
import type { RelyingParty } from '../secondFactor/relyingParty.ts'
import type { StaffAccounts } from './accounts.ts'
import type { StaffFactors } from './factors.ts'
import type { StaffSessions } from './sessions.ts'

export type StaffOrigin = { device: string; ip: string }
export type StaffCredentials = { name: string; password: string; code?: string | undefined }

/** Who failed to log in is not known. */
const unknownActor = '?'

/** What a challenge for a log-in by passkey is for. */
export const passkeyPurpose = 'log-in'

type Parts = {
  db: Db
  passwords: Passwords
  audit: Pick<Audit, 'write'>
  accounts: Pick<StaffAccounts, 'byName'>
  sessions: Pick<StaffSessions, 'open'>
  factors: StaffFactors
}

export type StaffLogIns = {
  /**
   * A password, and a code where a second factor is set. Throws `BAD_CREDENTIALS`; `SECOND_FACTOR_REQUIRED` without a
   * code, with what the account has instead; `SECOND_FACTOR_WRONG`, `LOCKED`.
   */
  withPassword(credentials: StaffCredentials, from: StaffOrigin): Promise<{ sid: string }>
  /** A passkey alone. Throws `CHALLENGE_EXPIRED`, `PASSKEY_INVALID`. */
  withPasskey(party: RelyingParty, answer: PasskeyAnswer, from: StaffOrigin): Promise<{ sid: string }>
}

export function createStaffLogIns(parts: Parts): StaffLogIns {
  const { db, passwords, accounts, factors } = parts
  return {
    withPassword: async ({ name, password, code }, from) => {
      const row = await accounts.byName(name)
      const stored = row?.status === 'active' ? row.passwordHash : null
      if (!(await passwords.matches(stored, password, 'unknown')) || !row) {
        await writeRefused(parts, row, 'password')
        throw new ApiError('BAD_CREDENTIALS')
      }
      const open = (by: string) => (tx: DbTransaction) => openSession(parts, tx, row, by, from)
      const { totp, passkeys } = await factors.view(row.id)
      if (totp === null && passkeys.length === 0) return db.transaction(open('password'))
      const has = { totp: totp !== null, passkey: passkeys.length > 0 }
      if (code === undefined || totp === null) throw new ApiError('SECOND_FACTOR_REQUIRED', { params: has })
      return factors.codes
        .use(row.id, code, (tx, kind) => open(kind)(tx))
        .catch(async (error: unknown) => {
          if (error instanceof ApiError && error.code === 'SECOND_FACTOR_WRONG')
            await writeRefused(parts, row, 'code')
          throw error
        })
    },
    withPasskey: async (party, answer, from) => {
      const checked = await factors.assertion.check(party, passkeyPurpose, null, answer)
      return db.transaction(async (tx) => {
        await checked.accept(tx)
        const [row] = await tx.select().from(staff).where(eq(staff.id, checked.ownerId)).for('update')
        if (row?.status !== 'active') throw new ApiError('PASSKEY_INVALID')
        return openSession(parts, tx, row, 'passkey', from)
      })
    },
  }
}

/**
 * A wrong password or code. What was typed as a name that nobody has is not stored, since it may be a password, but it costs
 * a row too: the time of the answer does not tell which names exist. The limit of tries bounds the rows.
 */
const writeRefused = ({ db, audit }: Parts, row: StaffRow | null, by: 'password' | 'code'): Promise<void> =>
  audit.write(db, {
    actor: unknownActor,
    act: 'log-in-refused',
    subject: { kind: 'staff', id: row?.id ?? unknownActor },
    details: { by },
  })

/** @throws ApiError `BAD_CREDENTIALS` if the password or a factor has changed since the row was read */
async function openSession(
  { audit, sessions }: Parts,
  tx: DbTransaction,
  { id, name, version }: StaffRow,
  by: string,
  from: StaffOrigin,
): Promise<{ sid: string }> {
  const isUnchanged = and(eq(staff.id, id), eq(staff.version, version))
  const [unchanged] = await tx.select({ id: staff.id }).from(staff).where(isUnchanged).for('update')
  if (!unchanged) throw new ApiError('BAD_CREDENTIALS')
  const opened = await sessions.open(id, from, tx)
  await audit.write(tx, { actor: name, act: 'log-in', subject: { kind: 'staff', id }, details: { by } })
  return opened
}
