import { and, eq, gt, isNotNull, sql } from 'drizzle-orm'
import { dayMs } from '../../../contract/time.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { ActLog } from '../../notices/index.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { staff, type StaffRow } from '../schema.ts'
import { sha256 } from '../../platform/keyDerivation.ts'
import { newPasswordRule, type Passwords } from '../../members/index.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import { randomToken } from '../../platform/random.ts'
import type { OfficeConfig } from '../settings.ts'
import type { OperatorSettings } from '../../platform/settings.ts'

const enrolmentTtlMs = dayMs
const enrolmentBytes = 24
/** Longer than a member's: a member of staff sees what many members sealed. */
const passwordMin = 12

/** A code that sets a password once, and the columns that store it. */
export function newEnrolment(random: Random, clock: Pick<Clock, 'now'>) {
  const code = randomToken(random, enrolmentBytes)
  const expiresAt = clock.now() + enrolmentTtlMs
  return {
    columns: { enrolmentHash: sha256(code), enrolmentExpiresAt: expiresAt },
    enrolment: { code, expiresAt },
  }
}

const isEnrolment = (code: string, now: number) =>
  and(
    eq(staff.enrolmentHash, sha256(code)),
    isNotNull(staff.enrolmentExpiresAt),
    gt(staff.enrolmentExpiresAt, now),
  )

/** Whose code it is. @throws ApiError `NOT_FOUND` for none, a used one and one that has expired */
export async function enrolmentOf(db: Db, code: string, now: number) {
  const [row] = await db.select().from(staff).where(isEnrolment(code, now))
  if (!row || row.enrolmentExpiresAt === null) throw new ApiError('NOT_FOUND')
  return { ...row, enrolmentExpiresAt: row.enrolmentExpiresAt }
}

/** @throws ApiError `VALIDATION` for a weak password */
export function assertStrong(
  { settings }: Pick<UseParts, 'settings'>,
  name: string,
  password: string,
  field = 'password',
): void {
  const tooShort = Array.from(password).length < passwordMin
  const code = tooShort
    ? 'PASSWORD_WEAK'
    : newPasswordRule(password, { account: name, venueName: settings.operatorConfig.name })
  if (code) throw new ApiError('VALIDATION', { fields: { [field]: code } })
}

export type Begin<T> = (tx: DbTransaction, row: StaffRow) => Promise<T>

/** Sets the password of the code's person, once; `begin` opens the session in the same transaction. */
export async function useEnrolment<T>(
  parts: UseParts,
  code: string,
  password: string,
  begin: Begin<T>,
): Promise<{ row: StaffRow; begun: T }> {
  const { db, clock, passwords, actLog } = parts
  // Looked up before the hash, which is expensive, and again with it.
  const { name } = await enrolmentOf(db, code, clock.now())
  assertStrong(parts, name, password)
  const passwordHash = await passwords.hash(password, 'known')
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(staff)
      .set({
        status: 'active',
        passwordHash,
        enrolmentHash: null,
        enrolmentExpiresAt: null,
        version: sql`${staff.version} + 1`,
      })
      .where(isEnrolment(code, clock.now()))
      .returning()
    if (!row) throw new ApiError('NOT_FOUND')
    await actLog.write(tx, { actor: row.name, act: 'set-password', subject: { kind: 'staff', id: row.id } })
    return { row, begun: await begin(tx, row) }
  })
}

type UseParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  passwords: Passwords
  actLog: Pick<ActLog, 'write'>
  settings: OperatorSettings<OfficeConfig, 'name'>
}
