import { and, eq } from 'drizzle-orm'
import type { PasskeyAnswer } from '../../../contract/passkeys.ts'
import type { WorkAnswer } from '../../../contract/work.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { ActLog } from '../../notices/index.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { staff, type StaffRow } from '../schema.ts'
import type { KnownDevices, Passwords } from '../../members/index.ts'
import type { RelyingParty } from '../../platform/http/relyingParty.ts'
import { staffDeviceOwner, type StaffAccounts } from './accounts.ts'
import type { StaffFactors } from './factors.ts'
import type { StaffSessions } from './sessions.ts'

/** Where a login comes from, with the cookie that proves earlier logins. */
export type StaffOrigin = { device: string; ip: string; deviceCookie?: string | undefined }
export type StaffCredentials = {
  name: string
  password: string
  code?: string | undefined
  work?: WorkAnswer | undefined
}
/** The cookies of a new session. */
export type OpenedStaffSession = { sid: string; deviceCookie: string }

/** The person who failed to log in is unknown. */
const unknownActor = '?'

/** What a challenge for a login by passkey is for. */
export const passkeyPurpose = 'log-in'

type Parts = {
  db: Db
  passwords: Passwords
  actLog: Pick<ActLog, 'write'>
  accounts: Pick<StaffAccounts, 'byName'>
  sessions: Pick<StaffSessions, 'open'>
  factors: StaffFactors
  devices: KnownDevices
}

export type StaffLogIns = {
  /**
   * A password, and a code where a second factor is set. Throws `BAD_CREDENTIALS`; `SECOND_FACTOR_REQUIRED` without a
   * code, with what the account has instead; `SECOND_FACTOR_WRONG`, `LOCKED`.
   */
  withPassword(credentials: StaffCredentials, from: StaffOrigin): Promise<OpenedStaffSession>
  /** A passkey alone. Throws `CHALLENGE_EXPIRED`, `PASSKEY_INVALID`. */
  withPasskey(party: RelyingParty, answer: PasskeyAnswer, from: StaffOrigin): Promise<OpenedStaffSession>
}

export function createStaffLogIns(parts: Parts): StaffLogIns {
  const { db, passwords, accounts, factors, devices } = parts
  return {
    withPassword: async ({ name, password, code }, from) => {
      const row = await accounts.byName(name)
      const stored = row?.status === 'active' ? row.passwordHash : null
      const known = devices.identify(from.deviceCookie, staffDeviceOwner(name, row))
      const lane = known === null ? 'unknown' : 'known'
      if (!(await passwords.matches(stored, password, lane)) || !row) {
        await writeRefused(parts, row, 'password')
        throw new ApiError('BAD_CREDENTIALS')
      }
      const open = (by: string) => (tx: DbTransaction) => openSession(parts, tx, row, by, from)
      const { totp, passkeys } = await factors.view(row.id)
      if (totp === null && passkeys.length === 0) return db.transaction(open('password'))
      const has = { totp: totp !== null, passkey: passkeys.length > 0 }
      if (code === undefined || totp === null) throw new ApiError('SECOND_FACTOR_REQUIRED', { params: has })
      return factors.codes
        .use(row.id, { code, from: known === null ? { ip: from.ip } : { known } }, (tx, kind) =>
          open(kind)(tx),
        )
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
const writeRefused = ({ db, actLog }: Parts, row: StaffRow | null, by: 'password' | 'code'): Promise<void> =>
  actLog.write(db, {
    actor: unknownActor,
    act: 'log-in-refused',
    subject: { kind: 'staff', id: row?.id ?? unknownActor },
    details: { by },
  })

/** @throws ApiError `BAD_CREDENTIALS` if the password or a factor has changed since the row was read */
async function openSession(
  { actLog, sessions, devices }: Parts,
  tx: DbTransaction,
  row: StaffRow,
  by: string,
  from: StaffOrigin,
): Promise<OpenedStaffSession> {
  const { id, name, version } = row
  const isUnchanged = and(eq(staff.id, id), eq(staff.version, version))
  const [unchanged] = await tx.select({ id: staff.id }).from(staff).where(isUnchanged).for('update')
  if (!unchanged) throw new ApiError('BAD_CREDENTIALS')
  const opened = await sessions.open(id, from, tx)
  await actLog.write(tx, { actor: name, act: 'log-in', subject: { kind: 'staff', id }, details: { by } })
  return { ...opened, deviceCookie: devices.remember(from.deviceCookie, staffDeviceOwner(name, row)) }
}
