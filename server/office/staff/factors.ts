import { eq, sql } from 'drizzle-orm'
import type { NewPasskeyAnswer, Passkey } from '../../../contract/passkeys.ts'
import type { SecondFactors } from '../../../contract/secondFactors.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { ActLog } from '../../notices/index.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { staff, staffFactors, type StaffRow } from '../schema.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import { createFactorCore, forgetFactors, viewPasskey, type FactorCore } from '../../members/index.ts'
import type { RelyingParty } from '../../platform/http/relyingParty.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { StaffSessions } from './sessions.ts'

/** Whose factors, and the session that changes them: the others end. */
export type FactorOwner = { staff: StaffRow; sessionId: string }

/** The second factors of the staff. Each change is recorded and ends the other sessions of its owner. */
export type StaffFactors = Pick<FactorCore, 'totp' | 'codes'> & {
  assertion: FactorCore['passkeys']['assertion']
  view(staffId: string): Promise<SecondFactors>
  beginTotp(of: FactorOwner): ReturnType<FactorCore['totpRegistration']['begin']>
  /** Replaces an earlier app; returns the recovery codes. Throws `CHALLENGE_EXPIRED`, `SECOND_FACTOR_WRONG`. */
  addTotp(of: FactorOwner, setupId: string, code: string): Promise<string[]>
  /** Throws `NOT_FOUND`. */
  removeTotp(of: FactorOwner): Promise<void>
  beginPasskey(
    of: FactorOwner,
    party: RelyingParty,
  ): ReturnType<FactorCore['passkeys']['registration']['begin']>
  /** Throws `CHALLENGE_EXPIRED`, `PASSKEY_INVALID`, `PASSKEY_LIMIT`. */
  addPasskey(
    of: FactorOwner,
    party: RelyingParty,
    answer: NewPasskeyAnswer & { name: string },
  ): Promise<Passkey>
  /** Throws `NOT_FOUND`. */
  removePasskey(of: FactorOwner, id: string): Promise<void>
}

export type StaffFactorsParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Random
  actLog: Pick<ActLog, 'write'>
  secrets: Pick<Secrets, 'idempotencyKey' | 'uploadKey'>
  sessions: Pick<StaffSessions, 'endOthers'>
  /** The venue's name, as apps and devices show it. */
  venueName: string
}

export function createStaffFactors(parts: StaffFactorsParts): StaffFactors {
  const core = createFactorCore({ ...parts, tables: staffFactors })
  const { totp, totpRegistration, recoveryCodes, passkeys } = core
  const name = `${parts.venueName} office`
  return {
    totp,
    codes: core.codes,
    assertion: passkeys.assertion,
    view: (staffId) => core.view(staffId),
    beginTotp: ({ staff, sessionId }) =>
      totpRegistration.begin(name, { id: staff.id, account: staff.name }, sessionId),
    addTotp: async (of, setupId, code) => {
      const checked = totpRegistration.check(of.staff.id, of.sessionId, setupId, code)
      return change(parts, of, 'add-authenticator', async (tx) => {
        await totp.remove(tx, of.staff.id)
        return checked.accept(tx)
      })
    },
    removeTotp: (of) =>
      change(parts, of, 'remove-authenticator', async (tx) => {
        if (!(await totp.remove(tx, of.staff.id))) throw new ApiError('NOT_FOUND')
        await recoveryCodes.remove(tx, of.staff.id)
      }),
    beginPasskey: ({ staff, sessionId }, party) => {
      const owner = { id: staff.id, account: staff.name, displayName: staff.name }
      return passkeys.registration.begin({ ...party, name }, owner, sessionId)
    },
    addPasskey: async (of, party, answer) => {
      const checked = await passkeys.registration.check(party, of.staff.id, of.sessionId, answer)
      return viewPasskey(await change(parts, of, 'add-passkey', (tx) => checked.accept(tx)))
    },
    removePasskey: (of, id) =>
      change(parts, of, 'remove-passkey', async (tx) => {
        if (!(await passkeys.remove(tx, of.staff.id, id))) throw new ApiError('NOT_FOUND')
      }),
  }
}

/** The row's version rises: a login that began before the change does not open a session without the new factor. */
async function change<T>(
  { db, actLog, sessions }: StaffFactorsParts,
  { staff: { id, name }, sessionId }: FactorOwner,
  act: string,
  work: (tx: DbTransaction) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    await tx
      .update(staff)
      .set({ version: sql`${staff.version} + 1` })
      .where(eq(staff.id, id))
    const result = await work(tx)
    await sessions.endOthers(id, sessionId, tx)
    await actLog.write(tx, { actor: name, act, subject: { kind: 'staff', id } })
    return result
  })
}

/** Deletes every factor of a member of staff, who then logs in with the password alone. */
export const forgetStaffFactors = (tx: DbTransaction, staffId: string): Promise<void> =>
  forgetFactors(tx, staffFactors, staffId)
